import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { type Points, pointsOf } from '../../../system/time/checkpoints.ts';
import type { Turns } from '../../../system/time/mutex.ts';
import { setNextBaseFee } from './base-fee.ts';
import type { ChainStore } from './chain-store.ts';
import type { Haltable } from './haltable.ts';
import { type PooledTransaction, readPool, sendPool } from './pool.ts';

/** A moment of L1. */
interface L1Point {
  readonly number: number;
  /** Count of the changes of the state after that block. */
  readonly changes: number;
  readonly pool: readonly PooledTransaction[];
  /** Id of anvil's own snapshot, which a return uses up. */
  snapshot: Hex;
}

/**
 * Creates the moments that L1 and its journal can go back to together, by anvil's own snapshots.
 * `store` throws where L1 is not where the journal is. `driving` makes the blocks, `inTurn` runs work on both.
 */
export function l1Points(rpc: RpcClient, store: () => ChainStore, driving: Haltable, inTurn: Turns): Points {
  return pointsOf<L1Point>({
    remember: () =>
      inTurn(async () => {
        const { chain, changes } = store();
        const { number } = chain.head;
        const pool = await readPool(rpc);
        return { number, changes, pool, snapshot: await rpc.call<Hex>('evm_snapshot') };
      }),
    suspend() {
      store();
      return driving.halt();
    },
    restore: (point) =>
      inTurn(async () => {
        const { number, changes, pool, snapshot } = point;
        if (!(await rpc.call<boolean>('evm_revert', [snapshot]))) throw new Error('L1 was started after it');
        point.snapshot = await rpc.call<Hex>('evm_snapshot');
        store().rollback(number, changes);
        await setNextBaseFee(rpc, number);
        await rpc.call('anvil_dropAllTransactions');
        const [refusal] = await sendPool(rpc, pool);
        if (refusal) throw new Error(`L1 refused the transaction ${refusal.hash}, which waited: ${refusal.reason}`);
      }),
    resume: driving.goOn,
  });
}
