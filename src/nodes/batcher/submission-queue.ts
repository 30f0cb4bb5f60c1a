import type { Frame } from '../../protocol/codec/frame.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/log.ts';
import type { Inclusion } from '../shared/txmgr/l1-backend.ts';
import type { TxManager } from '../shared/txmgr/txmgr.ts';
import type { Store } from './alt-da.ts';
import type { BuiltChannel } from './channel-builder.ts';
import { Semaphore } from './semaphore.ts';
import type { SubmittedChannel } from './sync-actions.ts';
import { groupFrames, txCandidate } from './tx-data.ts';

export interface SubmissionDeps {
  readonly rollup: Rollup;
  readonly sender: TxManager;
  readonly log: Logger;
  /** Where calldata is put instead of L1; undefined: it is on L1. */
  readonly store: Store | undefined;
}

/** Posts channels beside everything else; they hand their transactions over one after another, so that they reach L1 in the order of their blocks. */
export interface SubmissionQueue {
  /** Resolves with the L1 blocks that include the channel. @throws Failure where L1 does not take it. When aborted, what it comes to means nothing */
  submit(channel: BuiltChannel, signal: AbortSignal): Promise<NonNullable<SubmittedChannel['included']>>;
  /** A channel is not with the sender yet: blobs are still being proved, or too much is under way. */
  readonly isBusy: boolean;
}

/** `maxPending`: L1 transactions under way at once, 0 for any number. */
export function submissionQueue({ rollup, sender, log, store }: SubmissionDeps, maxPending: number): SubmissionQueue {
  const slots = new Semaphore(maxPending);
  let turn: Promise<unknown> = Promise.resolve();
  let preparing = 0;

  /** Gives a channel's transactions to the sender; each settles with the L1 block that includes it. */
  async function handOver(channel: BuiltChannel, signal: AbortSignal): Promise<readonly Promise<number>[]> {
    const { daType: carrier, first, last, blocks, reason, frames } = channel;
    const groups = groupFrames(frames, carrier);
    const what = `the channel of blocks ${first.number} to ${last.number}`;
    const prepare = (group: readonly Frame[]) =>
      txCandidate(group, carrier, rollup.config.batch_inbox_address, what, store && ((data) => store(data, signal)));
    // A DA server may take several at once; proofs are made one after another.
    const ahead = store && groups.map(prepare);
    for (const candidate of ahead ?? []) candidate.catch(() => {});
    log.info('Posting a channel', { from: first.number, to: last.number, blocks, reason, transactions: groups.length });
    const sent: Promise<number>[] = [];
    for (const [at, group] of groups.entries()) {
      const release = await slots.acquire();
      if (signal.aborted) {
        release();
        break;
      }
      const candidate = await (ahead?.[at] ?? prepare(group)).catch((error: unknown) => {
        release();
        throw error;
      });
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
      turn = handedOver.catch(() => {}).then(() => preparing--);
      const numbers = await Promise.all(await handedOver);
      return { first: Math.min(...numbers), last: Math.max(...numbers) };
    },
  };
}

/** Number of the L1 block that includes a posting, NaN where it was given up. @throws Failure `reverted` */
function includedIn(inclusion: Inclusion | undefined): number {
  if (inclusion === undefined) return Number.NaN;
  if (!inclusion.success)
    throw new Failure(
      'reverted',
      `transaction ${inclusion.hash} failed: the batch inbox must be an address without code`,
    );
  return inclusion.blockNumber;
}
