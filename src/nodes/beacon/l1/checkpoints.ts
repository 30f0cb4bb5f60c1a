import { type Checkpoints, createCheckpoints } from '../../../system/channel/checkpoints.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import type { ChainStore } from './chain-store.ts';
import type { Haltable } from './haltable.ts';
import type { L1Chain } from './l1-chain.ts';

/** The state of L1 at one time. */
interface L1Checkpoint {
  readonly number: number;
  /** Count of the changes of the state after that block. */
  readonly changes: number;
  readonly restore: () => Promise<void>;
}

/**
 * Creates the checkpoints of L1 and its journal.
 * `store` throws if L1 has other blocks than the journal. `driving` makes the blocks, `runExclusive` runs work on both.
 */
export function l1Checkpoints(
  l1: Pick<L1Chain, 'checkpoint'>,
  store: () => ChainStore,
  driving: Haltable,
  runExclusive: Mutex,
): Checkpoints {
  return createCheckpoints<L1Checkpoint>({
    take: () =>
      runExclusive(async () => {
        const { chain, changes } = store();
        return { number: chain.head.number, changes, restore: await l1.checkpoint(chain.head) };
      }),
    suspend() {
      store();
      return driving.halt();
    },
    restore: ({ number, changes, restore }) =>
      runExclusive(async () => {
        await restore();
        store().rollback(number, changes);
      }),
    resume: driving.goOn,
  });
}
