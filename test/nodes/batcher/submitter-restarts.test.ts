import { describe, expect, it, vi } from 'vitest';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { hashOf } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { drain, POLL_INTERVAL_MS } from './scripted.ts';
import { type Batching, useSubmitters } from './submitters.ts';

const { started, unpolled } = useSubmitters();
/** No channel is due: it stays open. */
const OPEN = { policy: { maxChannelDuration: 0 } };
/** Ranges of the posted channels. */
const ranges = ({ logged }: Batching) =>
  logged('Posting a channel').map((line) => /from=(\d+) to=(\d+)/.exec(line)![0]);
const restarts = ({ logged }: Batching) => logged('starts again from the safe head');
/** Passes wall time. */
async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await drain();
}

describe('a batch submitter whose poll fails', () => {
  it.each([
    [POLL_INTERVAL_MS, 2000, 4000, 4000],
    [20, 200, 400, 800],
    [100, 200, 400, 800],
    [300, 600, 1200, 2400],
  ])('with a poll interval of %i ms tries again after %i, %i and %i ms', async (pollInterval, ...pauses) => {
    const batcher = await started({ config: { pollInterval } });
    const { nodes } = batcher;
    nodes.failure = new TransportError('http://node', 'reset');
    batcher.move();
    await drain();
    let polls = 2;
    for (const pause of pauses) {
      expect(nodes.polls).toBe(polls);
      await wait(pause - 1);
      expect(nodes.polls).toBe(polls);
      await wait(1);
      polls++;
    }
    expect(nodes.polls).toBe(polls);
    nodes.failure = undefined;
    await batcher.polled(() => void vi.advanceTimersByTime(4000));
    nodes.failure = new TransportError('http://node', 'reset');
    batcher.move();
    await drain();
    const before = nodes.polls;
    await wait(pauses[0]!);
    expect(nodes.polls).toBe(before + 1);
  });

  it('tries again at once when it is flushed', async () => {
    const batcher = await started(OPEN);
    const { nodes, submitter } = batcher;
    nodes.failure = new TransportError('http://node', 'reset');
    batcher.move();
    await drain();
    nodes.failure = undefined;
    await batcher.polled(() => submitter.flush());
    expect(ranges(batcher)).toEqual(['from=1 to=3']);
  });

  it.each([
    ['an answer that does not come', new TransportError('http://node', 'reset')],
    ['an error of the node', new RpcError(-32_000, 'starting')],
  ])('goes on where it was after %s', async (_, failure) => {
    const batcher = await started(OPEN);
    const { nodes, logged } = batcher;
    nodes.failure = failure;
    batcher.move();
    await drain();
    nodes.failure = undefined;
    await batcher.grow(1);
    await batcher.polled(() => void vi.advanceTimersByTime(2000));
    expect(nodes.reads).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(logged('Cannot read the sequencer or L1')).toEqual([expect.stringMatching(/^warn .*(reset|starting)/)]);
    expect(restarts(batcher)).toEqual([]);
  });

  it('starts again from the safe head after a defect', async () => {
    const batcher = await started(OPEN);
    const { nodes, logged } = batcher;
    nodes.failure = new TypeError('a defect');
    batcher.move();
    await drain();
    nodes.failure = undefined;
    await batcher.polled(() => void vi.advanceTimersByTime(2000));
    expect(nodes.reads).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(restarts(batcher)).toEqual([expect.stringMatching(/^error .*a defect/)]);
    expect(logged('Cannot read')).toEqual([]);
  });

  it('waits again until it may begin when that could not be told', async () => {
    let asked = 0;
    const ready = async () => {
      if (asked++ === 0) throw new TransportError('http://l1', 'reset');
    };
    const batcher = await unpolled({ parts: { ready } });
    await drain();
    expect([asked, batcher.nodes.polls]).toEqual([1, 0]);
    await batcher.polled(() => void vi.advanceTimersByTime(2000));
    expect([asked, batcher.nodes.polls]).toEqual([2, 1]);
  });
});

describe('a batch submitter starts again from the safe head', () => {
  it('when the rollup node has another configuration, by whose rules it goes on', async () => {
    const batcher = await started({ fork: 'delta', policy: { targetNumFrames: 9 }, config: { maxTxSize: 150 } });
    const { nodes, sent } = batcher;
    await batcher.poll();
    expect(restarts(batcher)).toEqual([]);
    nodes.config = { ...nodes.config, channel_timeout: 20 };
    batcher.pass();
    await batcher.poll();
    expect(restarts(batcher)).toEqual([expect.stringMatching(/^warn .*another configuration/)]);
    expect([nodes.reads.slice(1), sent[0]!.signal.aborted]).toEqual([[[1, 3]], true]);
    const again = sent.filter(({ signal }) => !signal.aborted);
    expect(again).toHaveLength(2);
    // The timeout was 6.
    for (const [at, each] of again.entries()) await each.include(107 + 20 * at);
    await batcher.poll();
    expect(restarts(batcher)).toHaveLength(1);
  });

  it('when the sequencer has replaced its unsafe head', async () => {
    const batcher = await started(OPEN);
    const { nodes, network } = batcher;
    const before = nodes.unsafe;
    network.sequencer.rewind(2);
    await network.build([userTransaction(77)]);
    batcher.show();
    await batcher.poll();
    expect(restarts(batcher)).toEqual([expect.stringMatching(/^warn .*reason="the unsafe head 3 .*" safe=0$/)]);
    expect(nodes.unsafe).toMatchObject({ number: before.number, hash: expect.not.stringContaining(before.hash) });
    expect(nodes.reads).toEqual([
      [1, 3],
      [1, 3],
    ]);
    await batcher.polled(() => batcher.submitter.flush());
    expect(ranges(batcher)).toEqual(['from=1 to=3']);
    expect(batcher.backlog).toEqual([300, 300, 300]);
  });

  it('when a block that is read does not follow the last one', async () => {
    const batcher = await started(OPEN);
    const { nodes, network, refOf } = batcher;
    const read = refOf(3).hash;
    network.sequencer.rewind(2);
    for (const salt of [77, 78]) await network.build([userTransaction(salt)]);
    batcher.show();
    await batcher.poll();
    expect(restarts(batcher)).toEqual([
      expect.stringMatching(new RegExp(`^warn .*reorganised L2.* number=4 parent=${refOf(3).hash} read=${read}$`)),
    ]);
    expect(nodes.reads).toEqual([
      [1, 3],
      [4, 4],
    ]);
    await batcher.poll();
    await batcher.polled(() => batcher.submitter.flush());
    expect(nodes.reads.slice(2)).toEqual([[1, 4]]);
    expect(ranges(batcher)).toEqual(['from=1 to=4']);
  });

  it('when the safe head goes back', async () => {
    const batcher = await started();
    const { nodes, sent, refOf } = batcher;
    const genesis = nodes.safe;
    nodes.safe = refOf(2);
    await batcher.poll();
    expect(restarts(batcher)).toEqual([]);
    nodes.safe = genesis;
    await batcher.poll();
    expect(restarts(batcher)).toEqual([expect.stringMatching(/reason="the safe head went back from 2 to 0" safe=0$/)]);
    expect([nodes.reads.slice(1), sent[0]!.signal.aborted]).toEqual([[[1, 3]], true]);
  });

  it('when derivation has passed a channel whose blocks are not safe, and not sooner', async () => {
    const batcher = await started();
    const { nodes, sent } = batcher;
    await sent[0]!.include(107);
    nodes.currentL1 = { ...nodes.currentL1, number: 108 };
    await batcher.poll();
    expect(restarts(batcher)).toEqual([]);
    nodes.currentL1 = { ...nodes.currentL1, number: 109 };
    batcher.pass();
    await batcher.poll();
    expect(restarts(batcher)).toEqual([expect.stringContaining('block 3 posted there is not safe')]);
    expect(ranges(batcher)).toEqual(['from=1 to=3', 'from=1 to=3']);
    expect(sent[1]!.frames[0]!.channelId).not.toBe(sent[0]!.frames[0]!.channelId);
  });

  it.each([
    ['ecotone', 6],
    ['granite', 50],
  ] as const)('when a channel is included over more L1 blocks than its timeout under %s, %i', async (fork, timeout) => {
    for (const over of [0, 1]) {
      const batcher = await started({ fork, policy: { targetNumFrames: 9 }, config: { maxTxSize: 150 } });
      const { sent } = batcher;
      expect(sent.length).toBeGreaterThan(1);
      for (const [at, each] of sent.entries()) await each.include(at === 0 ? 107 : 107 + timeout + over);
      await batcher.poll();
      expect(restarts(batcher)).toEqual(over === 0 ? [] : [expect.stringContaining('timed out on L1')]);
    }
  });

  it('when L1 refuses a channel', async () => {
    const batcher = await started();
    const { nodes, sent } = batcher;
    await sent[0]!.fail(new Error('refused'));
    expect(restarts(batcher)).toEqual([
      'error msg="A channel cannot be posted, batching starts again from the safe head" error=refused',
    ]);
    batcher.pass();
    await batcher.poll();
    expect(nodes.reads.slice(1)).toEqual([[1, 3]]);
    expect(ranges(batcher)).toEqual(['from=1 to=3', 'from=1 to=3']);
  });

  it('once, when L1 refuses several channels', async () => {
    const batcher = await started();
    const { sent } = batcher;
    await batcher.grow(1);
    await batcher.poll();
    expect(ranges(batcher)).toEqual(['from=1 to=3', 'from=4 to=6']);
    for (const each of sent) await each.fail(new Error('refused'));
    expect(restarts(batcher)).toHaveLength(1);
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it('when the safe head has passed the blocks that it has read', async () => {
    const batcher = await started(OPEN);
    const { nodes, refOf } = batcher;
    await batcher.grow(1);
    nodes.safe = refOf(5);
    await batcher.poll();
    expect(restarts(batcher)).toEqual([]);
    expect(nodes.reads.slice(1)).toEqual([[6, 6]]);
    await batcher.polled(() => batcher.submitter.flush());
    expect(ranges(batcher)).toEqual(['from=6 to=6']);
  });
});

describe('a batch submitter goes on', () => {
  it('when its channels have become safe', async () => {
    const batcher = await started();
    const { nodes, sent, refOf } = batcher;
    await sent[0]!.include(107);
    nodes.safe = refOf(3);
    nodes.currentL1 = { ...nodes.currentL1, number: 120 };
    await batcher.poll();
    // A later safe head of the same height would have another hash than the channel, which is no longer kept.
    nodes.safe = { ...refOf(3), hash: hashOf('other') };
    await batcher.poll();
    expect([restarts(batcher), nodes.reads]).toEqual([[], [[1, 3]]]);
  });

  it('with the outcome of no channel from before a new start', async () => {
    const batcher = await started();
    const { nodes, sent, logged, marks } = batcher;
    nodes.failure = new TypeError('a defect');
    batcher.move();
    await drain();
    const before = batcher.lines.length;
    await sent[0]!.include(107);
    expect([logged('Posted a channel'), marks, batcher.lines.length]).toEqual([[], [], before]);
  });

  it('when the rollup node has derived L1 anew up to where it was, and says once that it waits', async () => {
    const batcher = await started(OPEN);
    const { nodes, logged, refOf } = batcher;
    const said = () => logged('derives anew');
    const at = async (number: number) => {
      nodes.currentL1 = { ...nodes.currentL1, number };
      await batcher.poll();
    };
    await at(20);
    await batcher.grow(1);
    nodes.safe = refOf(1);
    nodes.reads.length = 0;
    await at(19);
    await at(5);
    expect(nodes.reads).toEqual([]);
    expect(said()).toEqual(['info msg="The rollup node derives anew, waiting for it" l1=19 before=20 safe=1']);
    await at(20);
    expect(nodes.reads).toEqual([[4, 6]]);
    await at(3);
    expect(said()).toHaveLength(2);
  });

  it('at its next poll before the rollup node knows its chain', async () => {
    const batcher = await started();
    const { nodes } = batcher;
    await batcher.grow(1);
    const known = nodes.headL1;
    nodes.headL1 = { ...known, hash: `0x${'00'.repeat(32)}` };
    await batcher.poll();
    expect(nodes.reads).toEqual([[1, 3]]);
    nodes.headL1 = known;
    await batcher.poll();
    expect(nodes.reads.slice(1)).toEqual([[4, 6]]);
  });
});

describe('blocks that were asked for before a new start', () => {
  it('are not added', async () => {
    const batcher = await started({ ...OPEN, parts: {} });
    const { nodes, sent, submitter } = batcher;
    await batcher.polled(() => submitter.flush());
    await batcher.grow(1);
    const held = Promise.withResolvers<void>();
    nodes.beforeRead = () => held.promise;
    batcher.move();
    await drain();
    await sent[0]!.fail(new Error('refused'));
    nodes.beforeRead = () => undefined;
    await batcher.polled(held.resolve);
    expect(batcher.backlog.at(-1)).toBe(0);
    await batcher.poll();
    expect(nodes.reads.slice(1)).toEqual([
      [4, 6],
      [1, 6],
    ]);
  });

  it('are not added to a channel whose DA type is asked for meanwhile', async () => {
    const asked: PromiseWithResolvers<'calldata'>[] = [];
    const daType = () => {
      const each = Promise.withResolvers<'calldata'>();
      asked.push(each);
      if (asked.length === 1) each.resolve('calldata');
      return each.promise;
    };
    const batcher = await started({ ...OPEN, parts: { daType } });
    const { nodes, sent, submitter } = batcher;
    await batcher.polled(() => submitter.flush());
    await batcher.grow(1);
    batcher.move();
    await drain();
    expect(asked).toHaveLength(2);
    await sent[0]!.fail(new Error('refused'));
    await batcher.polled(() => asked[1]!.resolve('calldata'));
    expect([nodes.reads, batcher.backlog.at(-1)]).toEqual([
      [
        [1, 3],
        [4, 6],
      ],
      0,
    ]);
  });

  it('are not added when the open channel is filled again meanwhile', async () => {
    const batcher = await started(OPEN);
    const { nodes, submitter } = batcher;
    await batcher.grow(1);
    const held = Promise.withResolvers<void>();
    nodes.beforeRead = () => held.promise;
    batcher.move();
    await drain();
    submitter.reopen();
    nodes.beforeRead = () => undefined;
    await batcher.polled(held.resolve);
    await batcher.poll();
    await batcher.polled(() => submitter.flush());
    expect(restarts(batcher)).toEqual([]);
    expect(nodes.reads).toEqual([
      [1, 3],
      [4, 6],
      [1, 6],
    ]);
    expect(ranges(batcher)).toEqual(['from=1 to=6']);
  });
});
