import { quantity } from '../../../protocol/hex.ts';
import type { SyncProgress } from '../sync/backfill.ts';

/** What the Go client counts beside blocks: parts of a state that is downloaded instead of computed, of which there are none here. */
const COUNTS = [
  'SyncedAccounts',
  'SyncedAccountBytes',
  'SyncedBytecodes',
  'SyncedBytecodeBytes',
  'SyncedStorage',
  'SyncedStorageBytes',
  'HealedTrienodes',
  'HealedTrienodeBytes',
  'HealedBytecodes',
  'HealedBytecodeBytes',
  'HealingTrienodes',
  'HealingBytecode',
  'TxIndexFinishedBlocks',
  'TxIndexRemainingBlocks',
];
const REST = Object.fromEntries(COUNTS.map((name) => [name, 0]));
/** Left over from a way of syncing that is gone; only the subscription has them. */
const GONE = { PulledStates: 0, KnownStates: 0 };

const STAGES = ['Headers', 'Bodies', 'Execution', 'MerkleExecute', 'Finish'];

function blocksOf({ starting, current, highest }: SyncProgress) {
  return { StartingBlock: starting, CurrentBlock: current, HighestBlock: highest };
}

/** The Go client's eth_syncing. */
export function goSyncing(_: number, progress: SyncProgress | undefined): unknown {
  if (progress === undefined) return false;
  const entries = Object.entries({ ...blocksOf(progress), ...REST });
  return Object.fromEntries(
    entries.map(([name, value]) => [name[0]!.toLowerCase() + name.slice(1), quantity(value as number)]),
  );
}

/** What the Go client tells subscribers of `syncing`: its fields bear the names that they have in its code. */
export function goSyncNotice(progress: SyncProgress | undefined): unknown {
  return progress === undefined ? false : { syncing: true, status: { ...blocksOf(progress), ...GONE, ...REST } };
}

/** The Rust client's eth_syncing, in sync too. `head`: number of the newest block. */
export function rustSyncing(head: number, progress: SyncProgress | undefined): unknown {
  const { starting, current, highest } = progress ?? { starting: 0, current: head, highest: head };
  return {
    startingBlock: quantity(starting),
    currentBlock: quantity(current),
    highestBlock: quantity(highest),
    stages: STAGES.map((name) => ({ name, block: quantity(name === 'Headers' ? highest : current) })),
  };
}

/** What the Rust client tells subscribers of `syncing`. */
export function rustSyncNotice(progress: SyncProgress | undefined): unknown {
  if (progress === undefined) return false;
  const { starting, current, highest } = progress;
  return { syncing: true, startingBlock: starting, currentBlock: current, highestBlock: highest };
}
