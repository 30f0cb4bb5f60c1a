import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BatcherHarness, noise } from './harness.ts';
import { until } from './helpers.ts';

describe('the batcher waits', () => {
  let harness: BatcherHarness;
  beforeEach(async () => {
    harness = await BatcherHarness.start();
  });
  afterEach(() => harness.close());

  const postings = () => harness.lines.filter((line) => line.includes('Posting a channel')).length;

  /**
   * Counts the L1 blocks before the next submission. Its line is written in the poll that decides it: the transaction
   * reaches L1 some polls later on a busy machine.
   */
  async function blocksUntilPosted(most: number): Promise<number> {
    const before = postings();
    for (let blocks = 0; blocks <= most; blocks++) {
      await harness.looked();
      if (postings() > before) return blocks;
      harness.pass();
    }
    return Number.POSITIVE_INFINITY;
  }

  it.each([1, 3])('--max-channel-duration=%i: that many L1 blocks from one posting to the next', async (blocks) => {
    await harness.grow(1);
    await harness.batcher({ maxChannelDuration: blocks });
    await until('the first channel waits', async () => (await harness.pooled()).length > 0);
    await harness.mine();
    await until('it is posted', () => harness.lines.some((line) => line.includes('Posted a channel')));
    await harness.network.build();
    harness.state.chain = harness.network.sequencer.chain();
    harness.state.unsafe = harness.network.sequencer.head();
    expect(await blocksUntilPosted(5)).toBe(blocks);
  });

  it.each([2, 9])(
    '--sub-safety-margin=%i: L1 blocks left of the sequencing window when a channel goes out',
    async (margin) => {
      await harness.grow(1);
      await harness.batcher({ maxChannelDuration: 0, subSafetyMargin: margin });
      const first = harness.network.sequencer.chain()[1]!;
      expect(first.blockNumber).toBe(1);
      await blocksUntilPosted(20);
      const origin = harness.network.rollup.config.genesis.l1.number;
      expect(harness.state.headL1.number).toBe(origin + harness.network.rollup.config.seq_window_size - margin);
    },
  );

  it('--max-pending-tx: at most that many transactions are in flight', async () => {
    await harness.grow(3, 0, noise);
    await harness.batcher({ maxTxSize: 200, targetNumFrames: 100, maxPending: 2 });
    harness.pass();
    await until('two wait', async () => (await harness.pooled()).length === 2);
    await harness.looked();
    expect(await harness.pooled()).toHaveLength(2);
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('--poll-interval: that long between two polls, unless it is flushed', async () => {
    const batcher = await harness.batcher({ pollInterval: 3_600_000, maxChannelDuration: 0 });
    await until('it looked', () => harness.state.statusAsked > 0);
    await harness.grow(1);
    const before = harness.state.statusAsked;
    await harness.admin(batcher, 'admin_flushBatcher');
    await harness.waiting();
    expect(harness.state.statusAsked).toBe(before + 1);
  });

  it('--wait-node-sync: until the node has derived L1’s head, or the account’s last transaction', async () => {
    for (let block = 0; block < 3; block++) await harness.mine();
    await harness.grow(1);
    const first = await harness.batcher({ waitNodeSync: true });
    await until('it waits', () => harness.lines.some((line) => line.includes('Waits for the rollup node" l1=3')));
    await harness.looked();
    expect(await harness.pooled()).toHaveLength(0);
    harness.state.currentL1 = { ...harness.state.currentL1, number: 3 };
    await harness.posted();
    await first.stop();
    harness.state.currentL1 = { ...harness.state.currentL1, number: 0 };
    const included = Number(await harness.anvil.rpc.call('eth_blockNumber'));
    for (let block = 0; block < 5; block++) await harness.mine();
    await harness.batcher({ waitNodeSync: true, checkRecentTxsDepth: 100 });
    await until('it waits for less', () =>
      harness.lines.some((line) => line.includes(`Waits for the rollup node" l1=${included}`)),
    );
    await harness.batcher({ waitNodeSync: true, checkRecentTxsDepth: 3 });
    await until('nothing is that near', () =>
      harness.lines.some((line) => line.includes(`Waits for the rollup node" l1=${included + 5}`)),
    );
  });

  it('--sub-safety-margin must be within the sequencing window', async () => {
    const batcher = await harness.batcher({ subSafetyMargin: 12 });
    await expect(batcher.failed).rejects.toMatchObject({ code: 'usage', exit: 2 });
  });
});
