import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Frame } from '../../protocol/codec/frame.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { Quiesce } from '../../system/channel/quiesce.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { Inclusion } from '../txmgr/l1-backend.ts';
import type { TxManager } from '../txmgr/txmgr.ts';
import type { Store } from './alt-da.ts';
import type { BuiltChannel } from './channel-builder.ts';
import { groupFrames, txCandidate } from './options/tx-data.ts';
import { Semaphore } from './semaphore.ts';
import type { SubmittedChannel } from './sync-actions.ts';

/** Parts of the batcher that a submission uses. */
export interface SubmissionDeps {
  readonly rollup: Rollup;
  readonly sender: TxManager;
  readonly log: Logger;
  readonly clock: Clock & Quiesce;
  /** Stores the data elsewhere than on L1; undefined: the data is on L1. */
  readonly store: Store | undefined;
}

/** Submits channels in the background, in order (op-service: `txmgr.Queue`; op-batcher: `sendTransaction`). */
export interface SubmissionQueue {
  /**
   * Resolves with the L1 blocks that include the channel. The result of an aborted submission has no meaning.
   * @throws Failure if L1 rejects it
   */
  submit(channel: BuiltChannel, signal: AbortSignal): Promise<NonNullable<SubmittedChannel['included']>>;
  /** A channel waits: its blobs are being proved, or too many transactions are in flight. */
  readonly isBusy: boolean;
}

/**
 * Creates the queue. `maxPending`: L1 transactions in flight, 0 for any number. `onFree` is called when no channel
 * waits any more.
 */
export function submissionQueue(
  { rollup, sender, log, clock, store }: SubmissionDeps,
  maxPending: number,
  onFree: () => void,
): SubmissionQueue {
  const slots = new Semaphore(maxPending);
  const activity = clock.activity();
  let turn: Promise<unknown> = Promise.resolve();
  let preparing = 0;

  /**
   * Passes a channel's transactions to the transaction manager. Each promise settles with the L1 block of its
   * inclusion.
   */
  async function handOver(channel: BuiltChannel, signal: AbortSignal): Promise<readonly Promise<number>[]> {
    if (signal.aborted) return [];
    activity.busy();
    const { daType: carrier, first, last, blocks, reason, frames } = channel;
    const groups = groupFrames(frames, carrier);
    const what = `the channel of blocks ${first.number} to ${last.number}`;
    const prepare = (group: readonly Frame[]) =>
      txCandidate(group, carrier, rollup.config.batch_inbox_address, what, store && ((data) => store(data, signal)));
    // A DA server may take several at once. Proofs are computed one after another.
    const ahead = store && groups.map(prepare);
    for (const candidate of ahead ?? []) candidate.catch(() => {});
    log.info('Posting a channel', { from: first.number, to: last.number, blocks, reason, transactions: groups.length });
    const sent: Promise<number>[] = [];
    for (const [at, group] of groups.entries()) {
      activity.idle();
      const release = await slots.acquire();
      activity.busy();
      if (signal.aborted) {
        release();
        break;
      }
      // The store says itself whether it is busy: without its server it waits for the clock.
      if (ahead !== undefined) activity.idle();
      const candidate = await (ahead?.[at] ?? prepare(group)).catch((error: unknown) => {
        release();
        throw error;
      });
      if (ahead !== undefined) activity.busy();
      const inclusion = sender.send(candidate, signal).then(includedIn).finally(release);
      inclusion.catch(() => {});
      sent.push(inclusion);
    }
    return sent;
  }

  return {
    get isBusy() {
      return preparing > 0;
    },
    async submit(channel, signal) {
      const handedOver = turn.then(() => handOver(channel, signal));
      preparing++;
      turn = handedOver
        .catch(() => {})
        .then(async () => {
          preparing--;
          onFree();
          // The driver is busy before this is idle, so that its channel is one of this step, too.
          await nextTurn();
          activity.idle();
        });
      const numbers = await Promise.all(await handedOver);
      return { first: Math.min(...numbers), last: Math.max(...numbers) };
    },
  };
}

/** Returns the L1 block that includes a submission, NaN if it was aborted. @throws Failure `reverted` */
function includedIn(inclusion: Inclusion | undefined): number {
  if (inclusion === undefined) return Number.NaN;
  if (!inclusion.success)
    throw new Failure(
      'reverted',
      `transaction ${inclusion.hash} failed: the batch inbox must be an address without code`,
    );
  return inclusion.blockNumber;
}
