import type { RpcClient } from '../../../../rpc/client/client.ts';
import { readPool, sendPool } from './pool.ts';
import type { Refusal } from './transaction.ts';

/**
 * Sends the transactions of L1's pool again and returns those that L1 rejects (geth: `Reset` of the pool).
 * L1 checks each against its present state. The order of arrival of different senders is lost.
 * @throws TransportError
 */
export async function checkPool(rpc: RpcClient): Promise<readonly Refusal[]> {
  const pool = await readPool(rpc);
  if (pool.length > 0) await rpc.call('anvil_dropAllTransactions');
  return sendPool(rpc, pool);
}
