import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/nodes/batcher/alt-da.ts';
import type { BuiltChannel } from '../../../src/nodes/batcher/channel-builder.ts';
import { submissionQueue } from '../../../src/nodes/batcher/submission-queue.ts';
import type { Inclusion } from '../../../src/nodes/txmgr/l1-backend.ts';
import type { TxCandidate } from '../../../src/nodes/txmgr/pending-transaction.ts';
import { encodeBatcherTransaction, type Frame } from '../../../src/protocol/codec/frame.ts';
import { hashOf, INBOX, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { manualClock, memoryLog } from './helpers.ts';

const frame = (number: number): Frame => ({
  channelId: `0x${'0a'.repeat(16)}`,
  number,
  data: Uint8Array.of(number),
  isLast: false,
});
const channelOf = (from: number, frames: number): BuiltChannel => ({
  daType: 'calldata',
  frames: Array.from({ length: frames }, (_, at) => frame(10 * from + at)),
  first: { number: from, hash: hashOf('first') },
  last: { number: from + 2, hash: hashOf('last') },
  blocks: 3,
  reason: 'due',
});
/** Lets all promises that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const NEVER = new AbortController().signal;

interface Sent extends TxCandidate {
  readonly include: (blockNumber: number, success?: boolean) => Promise<unknown>;
  readonly end: (outcome: Inclusion | undefined | Error) => Promise<unknown>;
}

/** A queue above a transaction manager of the test. `trace` has the changes of its activity and the sends. */
function queueOf(maxPending = 0, store?: Store) {
  const sent: Sent[] = [];
  const trace: string[] = [];
  const { log, lines } = memoryLog();
  const sender = {
    address: INBOX,
    idle: async () => {},
    send: (candidate: TxCandidate) =>
      new Promise<Inclusion | undefined>((resolve, reject) => {
        trace.push('send');
        const end: Sent['end'] = (outcome) => {
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
          return settled();
        };
        const at = { hash: hashOf(`transaction ${sent.length}`), blockHash: hashOf('block') };
        sent.push({
          ...candidate,
          end,
          include: (blockNumber, success = true) => end({ ...at, blockNumber, success }),
        });
      }),
  };
  const clock = {
    ...manualClock(0),
    activity: () => ({ busy: () => void trace.push('busy'), idle: () => void trace.push('idle') }),
  };
  /** Whether the queue was busy at each call. */
  const free: boolean[] = [];
  const queue = submissionQueue({ rollup: testRollup('granite'), sender, log, clock, store }, maxPending, () =>
    free.push(queue.isBusy),
  );
  return { queue, sent, trace, lines, free };
}
/** Data of the transactions that the frames of a channel make. */
const dataOf = ({ frames }: BuiltChannel) => frames.map((one) => encodeBatcherTransaction([one]));

describe('submission queue', () => {
  it('sends each frame to the inbox, and resolves with the L1 blocks that include the channel', async () => {
    const { queue, sent, lines, free } = queueOf();
    const channel = channelOf(5, 3);
    const submitted = queue.submit(channel, NEVER);
    expect(queue.isBusy).toBe(true);
    await settled();
    expect([queue.isBusy, free]).toEqual([false, [false]]);
    const what = 'the channel of blocks 5 to 7';
    expect(sent).toMatchObject(dataOf(channel).map((data) => ({ to: INBOX, data, what })));
    for (const [at, block] of [9, 7, 8].entries()) await sent[at]!.include(block);
    expect(await submitted).toEqual({ first: 7, last: 9 });
    expect(lines).toEqual([expect.stringMatching(/lvl=info .*from=5 to=7 blocks=3 reason=due transactions=3\n$/)]);
  });

  it('sends the transactions of one channel before those of the next', async () => {
    const { queue, sent } = queueOf(1);
    const [first, second] = [channelOf(1, 2), channelOf(4, 1)];
    const submitted = [queue.submit(first, NEVER), queue.submit(second, NEVER)];
    const data = [...dataOf(first), ...dataOf(second)];
    for (const count of [1, 2, 3]) {
      await settled();
      // One may be in flight.
      expect(sent.map((one) => one.data)).toEqual(data.slice(0, count));
      expect(queue.isBusy).toBe(count < 3);
      await sent[count - 1]!.include(count);
    }
    expect(await Promise.all(submitted)).toEqual([
      { first: 1, last: 2 },
      { first: 3, last: 3 },
    ]);
  });

  it('is busy with preparations alone, not while it waits for a permit or an inclusion', async () => {
    const { queue, sent, trace } = queueOf(1);
    const submitted = queue.submit(channelOf(1, 2), NEVER);
    await settled();
    expect(trace).toEqual(['busy', 'idle', 'busy', 'send', 'idle']);
    await sent[0]!.include(1);
    await settled();
    expect(trace.slice(5)).toEqual(['busy', 'send', 'idle']);
    await sent[1]!.include(2);
    await submitted;
    expect(trace).toHaveLength(8);
  });

  it('rejects when a transaction reverts or fails, and goes on with the next channel', async () => {
    for (const outcome of ['reverts', 'fails'] as const) {
      const { queue, sent } = queueOf(1);
      const submitted = queue.submit(channelOf(1, 1), NEVER);
      const next = queue.submit(channelOf(4, 1), NEVER);
      const expected = expect(submitted).rejects.toMatchObject(
        outcome === 'reverts' ? { name: 'Failure', code: 'reverted' } : { message: 'refused' },
      );
      await settled();
      await (outcome === 'reverts' ? sent[0]!.include(1, false) : sent[0]!.end(new Error('refused')));
      await expected;
      await sent[1]!.include(3);
      expect(await next).toEqual({ first: 3, last: 3 });
    }
  });

  it('neither prepares nor tells of a channel that was aborted before its turn', async () => {
    const { queue, sent, lines, trace } = queueOf();
    await queue.submit(channelOf(1, 1), AbortSignal.abort());
    await settled();
    expect([sent, lines, trace]).toEqual([[], [], ['idle']]);
  });

  it('sends nothing more of an aborted channel, and gives its permit to the next one', async () => {
    const { queue, sent } = queueOf(1);
    const abort = new AbortController();
    const submitted = queue.submit(channelOf(1, 3), abort.signal);
    const next = queue.submit(channelOf(4, 1), NEVER);
    await settled();
    abort.abort();
    await sent[0]!.end(undefined);
    expect(await submitted).toEqual({ first: Number.NaN, last: Number.NaN });
    await settled();
    expect(sent.map(({ what }) => what)).toEqual(['the channel of blocks 1 to 3', 'the channel of blocks 4 to 6']);
    await sent[1]!.include(5);
    expect(await next).toEqual({ first: 5, last: 5 });
    expect(queue.isBusy).toBe(false);
  });
});

describe('submission queue above a DA server', () => {
  it('stores all data of a channel at once, and sends the commitments in order', async () => {
    const stored: Uint8Array[] = [];
    const signals: AbortSignal[] = [];
    const store: Store = async (data, signal) => {
      stored.push(data);
      signals.push(signal);
      return Uint8Array.of(0xcc, stored.length);
    };
    const { queue, sent } = queueOf(1, store);
    const channel = channelOf(1, 3);
    const { signal } = new AbortController();
    const submitted = queue.submit(channel, signal);
    await settled();
    expect(stored).toEqual(dataOf(channel));
    expect(signals).toEqual([signal, signal, signal]);
    for (const at of [0, 1, 2]) {
      expect(sent.map(({ data }) => data)).toEqual(
        [1, 2, 3].slice(0, at + 1).map((count) => Uint8Array.of(0xcc, count)),
      );
      await sent[at]!.include(5 + at);
    }
    expect(await submitted).toEqual({ first: 5, last: 7 });
  });

  it('rejects a channel whose data is not stored, and gives its permit to the next one', async () => {
    let failures = 2;
    const store: Store = async (data) => {
      if (failures-- > 0) throw new Error('aborted');
      return data;
    };
    const { queue, sent } = queueOf(1, store);
    const submitted = queue.submit(channelOf(1, 2), NEVER);
    const next = queue.submit(channelOf(4, 1), NEVER);
    await expect(submitted).rejects.toThrow('aborted');
    await settled();
    expect(sent.map(({ what }) => what)).toEqual(['the channel of blocks 4 to 6']);
    await sent[0]!.include(5);
    expect(await next).toEqual({ first: 5, last: 5 });
    expect(queue.isBusy).toBe(false);
  });
});
