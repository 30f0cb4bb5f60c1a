import { present } from '../../protocol/present.ts';
import { isJsonObject, type JsonObject } from '../../rpc/json-object.ts';
import { clientFor } from '../probe/call.ts';

/** Reads the receipts of transactions in one batch, by hash. Those that are not there are left out. */
export async function receiptsOf(url: string, hashes: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const wanted = [...new Set(hashes)];
  if (wanted.length === 0) return new Map();
  const answers = await clientFor(url).batch(
    wanted.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    { timeoutMs: 10_000 },
  );
  return new Map(
    answers.flatMap((answer, index) =>
      answer.ok && isJsonObject(answer.result) ? [[present(wanted[index], 'hash'), answer.result] as const] : [],
    ),
  );
}
