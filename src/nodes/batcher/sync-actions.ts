import type { BlockId } from '../../protocol/types.ts';
import type { SyncStatus } from '../txmgr/sync-status.ts';

/** A submitted channel. */
export interface SubmittedChannel {
  readonly first: BlockId;
  readonly last: BlockId;
  /** L1 blocks of its first and last transaction, once all are included. */
  included: { readonly first: number; readonly last: number } | undefined;
}

/** The consequence of the rollup node's state for the submitted channels (op-batcher: `syncActions`). */
export type SyncAction =
  | { readonly kind: 'good'; readonly derived: number }
  /** Batching must restart at the safe head. */
  | { readonly kind: 'restart'; readonly reason: string };

/** L1 blocks of derivation past a channel's inclusion before its blocks must be safe. */
const DERIVATION_LAG = 1;

/** The state at the last poll. */
export interface LastPoll {
  /** The newest block that was read. */
  readonly read: BlockId | undefined;
  /** Number of the safe head. Channels up to it have been removed. */
  readonly safe: number;
}

/**
 * Compares the submitted channels, oldest first, with the derived chain (op-batcher: `computeSyncActions`).
 * `derived` counts the leading channels whose blocks are safe. Restart if L2 was reorganised under a channel, or
 * if derivation passed one without its blocks becoming safe (dropped, timed out, or reorganised off L1).
 */
export function computeSyncAction(
  channels: readonly SubmittedChannel[],
  status: SyncStatus,
  channelTimeout: number,
  { read, safe: safeBefore }: LastPoll,
): SyncAction {
  const { safe_l2: safe, current_l1: current, unsafe_l2: unsafe } = status;
  if (safe.number < safeBefore)
    return { kind: 'restart', reason: `the safe head went back from ${safeBefore} to ${safe.number}` };
  if (read !== undefined && read.number === unsafe.number && read.hash !== unsafe.hash)
    return { kind: 'restart', reason: `the unsafe head ${read.number} is ${unsafe.hash}, read was ${read.hash}` };
  if (read !== undefined && read.number > unsafe.number)
    return { kind: 'restart', reason: `the unsafe head went back to ${unsafe.number}, read was ${read.number}` };
  let derived = 0;
  for (const { first, last, included } of channels) {
    if (last.number === safe.number && last.hash !== safe.hash)
      return { kind: 'restart', reason: `block ${last.number} was derived as ${safe.hash}, posted was ${last.hash}` };
    if (last.number <= safe.number) {
      derived++;
      continue;
    }
    if (included === undefined) break;
    if (included.last - included.first > channelTimeout)
      return { kind: 'restart', reason: `the channel of blocks ${first.number} to ${last.number} timed out on L1` };
    if (current.number > included.last + DERIVATION_LAG)
      return {
        kind: 'restart',
        reason: `derivation is past L1 block ${included.last}, and block ${last.number} posted there is not safe`,
      };
  }
  return { kind: 'good', derived };
}
