import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { RpcError } from '../../../../rpc/error.ts';
import type { JournalTransaction } from '../../chain/block.ts';
import { isUnsigned, sendAgain, sentFields } from './send-again.ts';
import type { Refusal, RpcTransaction } from './transaction.ts';

/** A transaction of L1's pool: its network form, or the fields of one of an impersonated account. */
export type PooledTransaction = Pick<JournalTransaction, 'hash' | 'from' | 'raw' | 'impersonated'>;

type Content = Readonly<
  Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, RpcTransaction>>>>>
>;

/** Returns all transactions of L1's pool, by sender and nonce. The order of arrival is lost. @throws TransportError */
export async function readPool(rpc: RpcClient): Promise<readonly PooledTransaction[]> {
  const { pending, queued } = await rpc.call<Content>('txpool_content');
  const all = [pending, queued].flatMap((part) => Object.values(part).flatMap((byNonce) => Object.values(byNonce)));
  const outcomes = await rpc.batch<Hex | null>(
    all.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  return all.map((transaction, at) => {
    const { hash, from } = transaction;
    // anvil gives a network form for an unsigned transaction, too, and then refuses it.
    if (isUnsigned(transaction)) return { hash, from, impersonated: sentFields(transaction) };
    const outcome = outcomes[at];
    return { hash, from, ...(outcome?.ok && outcome.result !== null ? { raw: outcome.result } : {}) };
  });
}

/** Sends transactions to L1's pool, one by one, and returns those that L1 rejects. @throws TransportError */
export async function sendPool(rpc: RpcClient, pool: readonly PooledTransaction[]): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  for (const transaction of pool) {
    try {
      await sendAgain(rpc, transaction, transaction.raw);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      refused.push({ hash: transaction.hash, reason: error.message });
    }
  }
  return refused;
}
