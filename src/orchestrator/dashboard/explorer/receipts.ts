import { present } from '../../../protocol/present.ts';
import { isJsonObject, type JsonObject } from '../../../rpc/json-object.ts';
import { clientFor } from '../../probe/call.ts';

/** Reads the receipts of transactions in one batch, by hash. Those that are not there are left out. */
export async function receiptsOf(url: string, hashes: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const unique = [...new Set(hashes)];
  if (unique.length === 0) return new Map();
  const answers = await clientFor(url).batch(
    unique.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    { timeoutMs: 10_000 },
  );
  return new Map(
    answers.flatMap((answer, index) =>
      answer.ok && isJsonObject(answer.result) ? [[present(unique[index], 'hash'), answer.result] as const] : [],
    ),
  );
}
