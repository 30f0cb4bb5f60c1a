import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { type Checkpoints, createCheckpoints } from '../../../system/channel/checkpoints.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import { setNextBaseFee } from './base-fee.ts';
import type { ChainStore } from './chain-store.ts';
import type { Haltable } from './haltable.ts';
import { type PooledTransaction, readPool, sendPool } from './pool/pool.ts';

/** The state of L1 at one time. */
interface L1Checkpoint {
  readonly number: number;
  /** Count of the changes of the state after that block. */
  readonly changes: number;
  readonly pool: readonly PooledTransaction[];
  /** Id of anvil's own snapshot, which a restore uses up. */
  snapshot: Hex;
}

/**
 * Creates the checkpoints of L1 and its journal, by anvil's own snapshots.
 * `store` throws if L1 has other blocks than the journal. `driving` makes the blocks, `runExclusive` runs work on both.
 */
export function l1Checkpoints(
  rpc: RpcClient,
  store: () => ChainStore,
  driving: Haltable,
  runExclusive: Mutex,
): Checkpoints {
  return createCheckpoints<L1Checkpoint>({
    take: () =>
      runExclusive(async () => {
        const { chain, changes } = store();
        const { number } = chain.head;
        const pool = await readPool(rpc);
        return { number, changes, pool, snapshot: await rpc.call<Hex>('evm_snapshot') };
      }),
    suspend() {
      store();
      return driving.halt();
    },
    restore: (checkpoint) =>
      runExclusive(async () => {
        const { number, changes, pool, snapshot } = checkpoint;
        if (!(await rpc.call<boolean>('evm_revert', [snapshot]))) throw new Error('L1 was started after it');
        checkpoint.snapshot = await rpc.call<Hex>('evm_snapshot');
        store().rollback(number, changes);
        await setNextBaseFee(rpc, number);
        await rpc.call('anvil_dropAllTransactions');
        const [refusal] = await sendPool(rpc, pool);
        if (refusal) throw new Error(`L1 refused the transaction ${refusal.hash}, which waited: ${refusal.reason}`);
      }),
    resume: driving.goOn,
  });
}
