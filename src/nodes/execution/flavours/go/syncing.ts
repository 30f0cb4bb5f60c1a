import { quantity } from '../../../../protocol/hex.ts';
import type { SyncProgress } from '../../sync/backfill.ts';

/** Counters of op-geth's snap sync and transaction index. They stay 0: blocks are executed in full. */
const SNAP_COUNTERS = [
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
const COUNTERS = Object.fromEntries(SNAP_COUNTERS.map((name) => [name, 0]));
/** Counters of the removed fast sync. Only the subscription still has them. */
const FAST_SYNC_COUNTERS = { PulledStates: 0, KnownStates: 0 };

function blocksOf({ starting, current, highest }: SyncProgress) {
  return { StartingBlock: starting, CurrentBlock: current, HighestBlock: highest };
}

/** Returns op-geth's answer of `eth_syncing` (geth: `EthereumAPI.Syncing`). */
export function goSyncing(_: number, progress: SyncProgress | undefined): unknown {
  if (progress === undefined) return false;
  const entries = Object.entries<number>({ ...blocksOf(progress), ...COUNTERS });
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, 1).toLowerCase() + name.slice(1), quantity(value)]),
  );
}

/**
 * Returns op-geth's `syncing` notification (geth: `DownloaderAPI.Syncing`). Its fields have the names of the Go struct.
 */
export function goSyncNotice(progress: SyncProgress | undefined): unknown {
  if (progress === undefined) return false;
  return { syncing: true, status: { ...blocksOf(progress), ...FAST_SYNC_COUNTERS, ...COUNTERS } };
}
