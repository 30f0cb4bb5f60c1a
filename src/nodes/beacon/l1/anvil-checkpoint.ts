import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { setNextBaseFee } from './base-fee.ts';
import { readPool, sendPool } from './pool/pool.ts';

/** Takes a checkpoint of anvil at block `number` by its own snapshots, and returns the function that restores it. */
export async function anvilCheckpoint(rpc: RpcClient, number: number): Promise<() => Promise<void>> {
  const pool = await readPool(rpc);
  // A restore uses it up.
  let snapshot = await rpc.call<Hex>('evm_snapshot');
  return async () => {
    if (!(await rpc.call<boolean>('evm_revert', [snapshot]))) throw new Error('L1 was started after it');
    snapshot = await rpc.call<Hex>('evm_snapshot');
    await setNextBaseFee(rpc, number);
    await rpc.call('anvil_dropAllTransactions');
    const [refusal] = await sendPool(rpc, pool);
    if (refusal) throw new Error(`L1 refused the transaction ${refusal.hash}, which waited: ${refusal.reason}`);
  };
}
