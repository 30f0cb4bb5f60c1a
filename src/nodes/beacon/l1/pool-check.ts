import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Refusal, RpcTransaction } from './anvil.ts';
import { isUnsigned, sendAgain, sentFields } from './replay.ts';

type Content = Readonly<
  Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, RpcTransaction>>>>>
>;

/**
 * Sends the transactions of L1's pool again and returns those that L1 rejects (geth: `Reset` of the pool).
 * L1 checks each against its present state. The order of arrival of different senders is lost.
 * @throws TransportError
 */
export async function checkPool(rpc: RpcClient): Promise<readonly Refusal[]> {
  const { pending, queued } = await rpc.call<Content>('txpool_content');
  const waiting = [pending, queued].flatMap((part) => Object.values(part).flatMap((byNonce) => Object.values(byNonce)));
  const outcomes = await rpc.batch<Hex | null>(
    waiting.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  if (waiting.length > 0) await rpc.call('anvil_dropAllTransactions');
  const refused: Refusal[] = [];
  for (const [at, transaction] of waiting.entries()) {
    const { hash, from } = transaction;
    const outcome = outcomes[at];
    const raw = outcome?.ok ? (outcome.result ?? undefined) : undefined;
    try {
      if (isUnsigned(transaction)) await sendUnsigned(rpc, from, sentFields(transaction));
      else await sendAgain(rpc, { from }, raw);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      refused.push({ hash, reason: error.message });
    }
  }
  return refused;
}

/** Sends a transaction of an impersonated account, which may be none any more. @throws RpcError */
async function sendUnsigned(rpc: RpcClient, from: Hex, fields: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await rpc.call('eth_sendTransaction', [fields]);
  } catch (error) {
    if (!(error instanceof RpcError && /signer/i.test(error.message))) throw error;
    await sendAgain(rpc, { from, impersonated: fields }, undefined);
  }
}
