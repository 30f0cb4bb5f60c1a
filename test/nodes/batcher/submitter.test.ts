import { describe, expect, it } from 'vitest';
import { derive, inCalldata } from '../../protocol/derivation/scripted/network.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { drain } from './scripted.ts';
import { type Batching, useSubmitters } from './submitters.ts';

const { started, unpolled } = useSubmitters();
/** Adds an L2 block of the present L1 block. */
async function build({ network, nodes, show }: Batching, salt = 50): Promise<void> {
  const head = nodes.headL1;
  await network.build([userTransaction(network.sequencer.head().number + salt)]);
  show();
  nodes.headL1 = head;
}
const posting = ({ logged }: Batching) => logged('Posting a channel').map((line) => line.replace(/.*channel" /, ''));
const posted = ({ logged }: Batching) => logged('Posted a channel');

describe('a batch submitter', () => {
  it('posts the blocks after the safe head, and says by which L1 block they are included', async () => {
    const batcher = await started();
    const { nodes, sent, refOf, marks, logged } = batcher;
    expect(nodes.reads).toEqual([[1, 3]]);
    expect(posting(batcher)).toEqual(['from=1 to=3 blocks=3 reason=due transactions=1']);
    expect(posted(batcher)).toEqual([]);
    const began = performance.timeOrigin + performance.now();
    await sent[0]!.include(107);
    expect(logged('Posted a channel')).toEqual(['info msg="Posted a channel" from=1 to=3 l1=107']);
    const { channelId } = sent[0]!.frames[0]!;
    const range = { first: refOf(1).hash, last: refOf(3).hash, number: 107 };
    expect(marks).toEqual([
      { mark: 'batch', of: channelId, from: expect.any(Number), to: expect.any(Number), ...range },
    ]);
    expect(marks[0]!.from).toBeLessThan(began);
    expect(marks[0]!.from).toBeGreaterThan(began - 3_600_000);
    expect(marks[0]!.to).toBeGreaterThanOrEqual(began);
  });

  it('posts channels from which the chain of the sequencer is derived', async () => {
    const batcher = await started({ policy: { targetNumFrames: 10 }, config: { maxTxSize: 150 }, grown: 2 });
    await batcher.grow(1);
    await batcher.poll();
    const { network, rollup, sent } = batcher;
    expect(posting(batcher).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'from=1 to=6 blocks=6',
      'from=7 to=9 blocks=3',
    ]);
    expect(sent.length).toBeGreaterThan(4);
    expect(new Set(sent.flatMap(({ frames }) => frames.map(({ channelId }) => channelId))).size).toBe(2);
    network.l1.mine({ transactions: inCalldata(sent.flatMap(({ frames }) => frames)) });
    const { engine } = await derive({ l1: network.l1, rollup });
    expect(engine.head().hash).toBe(network.sequencer.head().hash);
  });

  it('reads at most 32 blocks at a time', async () => {
    const batcher = await started({ policy: { maxChannelDuration: 0, subSafetyMargin: 0 } });
    await batcher.grow(11);
    await batcher.poll();
    expect(batcher.nodes.reads).toEqual([
      [1, 3],
      [4, 35],
      [36, 36],
    ]);
  });

  it('reads on at the next poll when the execution client lacks a block', async () => {
    const batcher = await started({ policy: { maxChannelDuration: 0 } });
    const { nodes } = batcher;
    await batcher.grow(1);
    nodes.chain = nodes.chain.slice(0, 6);
    await batcher.poll();
    expect(nodes.reads.splice(0)).toEqual([
      [1, 3],
      [4, 6],
    ]);
    batcher.show();
    await batcher.poll();
    expect(nodes.reads).toEqual([[6, 6]]);
  });

  it('waits with a channel until an L1 block has passed since the last one', async () => {
    const batcher = await started();
    await build(batcher);
    await batcher.poll();
    expect(posting(batcher)).toHaveLength(1);
    batcher.pass();
    await batcher.poll();
    expect(posting(batcher).slice(1)).toEqual(['from=4 to=4 blocks=1 reason=due transactions=1']);
  });

  it('posts nothing when there is no new block', async () => {
    const batcher = await started();
    batcher.pass();
    await batcher.poll();
    await batcher.polled(() => batcher.submitter.flush());
    expect(posting(batcher)).toHaveLength(1);
  });

  it('posts at once what it has read when it is flushed, and waits with the next', async () => {
    const batcher = await started();
    await build(batcher);
    await batcher.polled(() => batcher.submitter.flush());
    expect(posting(batcher).slice(1)).toEqual(['from=4 to=4 blocks=1 reason=flushed transactions=1']);
    await build(batcher);
    await batcher.poll();
    await batcher.poll();
    expect(posting(batcher)).toHaveLength(2);
  });

  it('posts all blocks of before a flush that comes while it reads', async () => {
    const batcher = await unpolled({ policy: { maxChannelDuration: 0 } });
    const { submitter, nodes } = batcher;
    const held = Promise.withResolvers<void>();
    nodes.beforeRead = () => held.promise;
    await drain();
    await build(batcher);
    submitter.flush();
    held.resolve();
    await batcher.rested();
    await drain();
    expect(posting(batcher)).toEqual(['from=1 to=4 blocks=4 reason=flushed transactions=1']);
  });

  it('posts a full channel, and puts the next block into another', async () => {
    const batcher = await started({ config: { maxTxSize: 300 }, grown: 2, policy: { maxChannelDuration: 0 } });
    await batcher.polled(() => batcher.submitter.flush());
    const lines = posting(batcher);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toContain('reason=full');
    expect(lines.at(-1)).toContain('reason=flushed');
    const ranges = lines.map((line) => /from=(\d+) to=(\d+)/.exec(line)!.slice(1).map(Number));
    expect(ranges.map(([from]) => from)).toEqual([1, ...ranges.slice(0, -1).map(([, to]) => to! + 1)]);
    expect(ranges.at(-1)![1]).toBe(6);
  });

  it('holds a due channel back while another one waits to be sent, and posts it at once when none does', async () => {
    const batcher = await started({ config: { maxPending: 1 } });
    const { sent, nodes } = batcher;
    const next = async () => {
      await build(batcher);
      batcher.pass();
      await batcher.poll();
    };
    for (let block = 4; block <= 6; block++) await next();
    expect([posting(batcher).length, sent.length]).toEqual([2, 1]);
    const polls = nodes.polls;
    await sent[0]!.include(107);
    expect(nodes.polls).toBe(polls + 1);
    expect(posting(batcher).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'from=1 to=3',
      'from=4 to=4',
      'from=5 to=6',
    ]);
    await sent[1]!.include(108);
    await sent[2]!.include(109);
    expect([sent.length, nodes.polls]).toEqual([3, polls + 1]);
  });

  it('closes a channel at once that is flushed while another one waits to be sent', async () => {
    const batcher = await started({ config: { maxPending: 1 }, policy: { maxChannelDuration: 0 } });
    const { sent, submitter } = batcher;
    for (let channel = 1; channel <= 3; channel++) {
      await batcher.polled(() => submitter.flush());
      await build(batcher);
      await batcher.poll();
    }
    await sent[0]!.include(107);
    await sent[1]!.include(108);
    expect(posting(batcher)).toEqual([
      'from=1 to=3 blocks=3 reason=flushed transactions=1',
      'from=4 to=4 blocks=1 reason=flushed transactions=1',
      'from=5 to=5 blocks=1 reason=flushed transactions=1',
    ]);
  });

  it('says that a channel is posted whose blocks became safe before', async () => {
    const batcher = await started();
    batcher.nodes.safe = batcher.refOf(3);
    await batcher.poll();
    await batcher.sent[0]!.include(107);
    expect(posted(batcher)).toHaveLength(1);
  });

  it('tells the estimated size of the blocks that are not safe', async () => {
    const batcher = await started({ policy: { maxChannelDuration: 0 } });
    const { nodes, backlog, refOf } = batcher;
    // At least 100 bytes for each of three transactions (specification: fjord).
    expect(backlog).toEqual([300]);
    nodes.safe = refOf(1);
    await batcher.poll();
    nodes.safe = refOf(3);
    await batcher.poll();
    expect(backlog).toEqual([300, 200, 0]);
  });
});

describe('a reopened channel', () => {
  it('is filled again with the blocks since the last posted one, with the DA type of then', async () => {
    const kinds: string[] = [];
    const daType = async () => {
      kinds.push('asked');
      return 'calldata' as const;
    };
    const batcher = await started({ parts: { daType } });
    const { nodes, submitter, backlog } = batcher;
    await build(batcher);
    await build(batcher);
    await batcher.poll();
    await batcher.polled(() => submitter.reopen());
    expect(nodes.reads).toEqual([
      [1, 3],
      [4, 5],
      [4, 5],
    ]);
    expect(kinds).toEqual(['asked', 'asked', 'asked']);
    expect(backlog).toEqual([300, 500, 500]);
    await batcher.polled(() => submitter.flush());
    expect(posting(batcher).slice(1)).toEqual(['from=4 to=5 blocks=2 reason=flushed transactions=1']);
  });

  it('is filled from the safe head when no channel was posted before', async () => {
    const batcher = await started({ policy: { maxChannelDuration: 0 } });
    await batcher.polled(() => batcher.submitter.reopen());
    expect(batcher.nodes.reads).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(batcher.backlog).toEqual([300, 300]);
  });

  it('needs no poll when there is none', async () => {
    const batcher = await started();
    batcher.submitter.reopen();
    await drain();
    expect(batcher.nodes.polls).toBe(1);
  });
});

describe('the DA type of a channel', () => {
  it.each([
    ['delta', 0],
    ['ecotone', 1],
  ] as const)('is calldata until L1 has blobs: under %s it is asked %i times', async (fork, times) => {
    let asked = 0;
    const daType = async () => {
      asked++;
      return 'calldata' as const;
    };
    const { sent } = await started({ fork, parts: { daType } });
    expect([asked, sent.length, sent[0]!.frames.length]).toEqual([times, 1, 1]);
  });
});

describe('the start and the end of a batch submitter', () => {
  it('waits until it may begin, once', async () => {
    const ready = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const batcher = await unpolled({
      parts: {
        ready: (signal) => {
          signals.push(signal);
          signal.addEventListener('abort', () => ready.resolve());
          return ready.promise;
        },
      },
    });
    await drain();
    expect([batcher.nodes.polls, batcher.activities.map(({ isBusy }) => isBusy)]).toEqual([0, [false, true]]);
    await batcher.polled(ready.resolve);
    await batcher.poll();
    expect([batcher.nodes.polls, signals.map(({ aborted }) => aborted)]).toEqual([2, [false]]);
    await batcher.submitter.stop();
    expect(signals[0]!.aborted).toBe(true);
  });

  it('is idle between two polls, and at its end', async () => {
    const { activities, submitter, move, nodes } = await started();
    expect(activities.map(({ isBusy }) => isBusy)).toEqual([false, false]);
    const held = Promise.withResolvers<void>();
    nodes.unsafe = { ...nodes.unsafe, number: 4 };
    nodes.beforeRead = () => held.promise;
    move();
    await drain();
    expect(activities[1]!.isBusy).toBe(true);
    const stopped = submitter.stop();
    held.resolve();
    await stopped;
    expect(activities[1]!.isBusy).toBe(false);
  });

  it('is idle at an end that a failing request comes with', async () => {
    const { activities, submitter, nodes, move } = await started();
    const held = Promise.withResolvers<void>();
    nodes.unsafe = { ...nodes.unsafe, number: 4 };
    nodes.beforeRead = () => held.promise;
    move();
    await drain();
    const stopped = submitter.stop();
    held.reject(new Error('socket hang up'));
    await stopped;
    expect(activities[1]!.isBusy).toBe(false);
  });

  it('sends and polls nothing after it', async () => {
    const batcher = await started();
    const { submitter, sent, nodes } = batcher;
    await submitter.stop();
    await expect(submitter.done).resolves.toBeUndefined();
    expect(sent[0]!.signal.aborted).toBe(true);
    await sent[0]!.include(107);
    await batcher.grow(1);
    submitter.flush();
    batcher.move();
    await drain();
    expect([nodes.polls, sent.length, posted(batcher), batcher.marks]).toEqual([1, 1, [], []]);
  });

  it('reads no blocks after it, when a poll is answered late', async () => {
    const batcher = await started();
    const { submitter, nodes } = batcher;
    const held = Promise.withResolvers<void>();
    await batcher.grow(1);
    nodes.beforePoll = () => held.promise;
    batcher.move();
    await drain();
    const stopped = submitter.stop();
    held.resolve();
    await stopped;
    expect([nodes.polls, nodes.reads]).toEqual([2, [[1, 3]]]);
  });

  it('reads no further blocks after it', async () => {
    const batcher = await unpolled({ grown: 11 });
    const { submitter, nodes } = batcher;
    const held = Promise.withResolvers<void>();
    nodes.beforeRead = () => held.promise;
    await drain();
    const stopped = submitter.stop();
    held.resolve();
    await stopped;
    expect(nodes.reads).toEqual([[1, 32]]);
  });

  it('says nothing of a poll that fails after it', async () => {
    const batcher = await started();
    const { submitter, nodes, lines } = batcher;
    const held = Promise.withResolvers<void>();
    await batcher.grow(1);
    nodes.beforeRead = () => held.promise;
    batcher.move();
    await drain();
    const before = lines.length;
    const stopped = submitter.stop();
    held.reject(new Error('closed'));
    await stopped;
    expect(lines.slice(before)).toEqual([]);
  });
});
