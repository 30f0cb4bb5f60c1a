import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../shared/txmgr/helpers.ts';
import { noise, World } from './world.ts';

describe('the batcher waits', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.close());

  /** L1 blocks that pass before something is posted. */
  async function blocksUntilPosted(most: number): Promise<number> {
    for (let blocks = 0; blocks <= most; blocks++) {
      await world.looked();
      if ((await world.pooled()).length > 0) return blocks;
      world.pass();
    }
    return Number.POSITIVE_INFINITY;
  }

  it.each([1, 3])('--max-channel-duration=%i: that many L1 blocks from one posting to the next', async (blocks) => {
    await world.grow(1);
    await world.batcher({ maxChannelDuration: blocks });
    await until('the first channel waits', async () => (await world.pooled()).length > 0);
    await world.mine();
    await until('it is posted', () => world.lines.some((line) => line.includes('Posted a channel')));
    await world.network.build();
    world.state.chain = world.network.sequencer.chain();
    world.state.unsafe = world.network.sequencer.head();
    expect(await blocksUntilPosted(5)).toBe(blocks);
  });

  it.each([2, 9])(
    '--sub-safety-margin=%i: L1 blocks left of the sequencing window when a channel goes out',
    async (margin) => {
      await world.grow(1);
      await world.batcher({ maxChannelDuration: 0, subSafetyMargin: margin });
      const first = world.network.sequencer.chain()[1]!;
      expect(first.blockNumber).toBe(1);
      await blocksUntilPosted(20);
      const origin = world.network.rollup.config.genesis.l1.number;
      expect(world.state.headL1.number).toBe(origin + world.network.rollup.config.seq_window_size - margin);
    },
  );

  it('--max-pending-tx: transactions under way at once', async () => {
    await world.grow(3, 0, noise);
    await world.batcher({ maxTxSize: 200, targetNumFrames: 100, maxPending: 2 });
    world.pass();
    await until('two wait', async () => (await world.pooled()).length === 2);
    await world.looked();
    expect(await world.pooled()).toHaveLength(2);
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('--poll-interval: until it looks again, unless it is flushed', async () => {
    const batcher = await world.batcher({ pollInterval: 3_600_000, maxChannelDuration: 0 });
    await until('it looked', () => world.state.statusAsked > 0);
    await world.grow(1);
    const asked = world.state.statusAsked;
    await world.admin(batcher, 'admin_flushBatcher');
    await world.waiting();
    expect(world.state.statusAsked).toBe(asked + 1);
  });

  it('--wait-node-sync: until the node has derived up to L1’s head, or this account’s last transaction there', async () => {
    for (let block = 0; block < 3; block++) await world.mine();
    await world.grow(1);
    const first = await world.batcher({ waitNodeSync: true });
    await until('it waits', () => world.lines.some((line) => line.includes('Waits for the rollup node" l1=3')));
    await world.looked();
    expect(await world.pooled()).toHaveLength(0);
    world.state.currentL1 = { ...world.state.currentL1, number: 3 };
    await world.posted();
    await first.stop();
    world.state.currentL1 = { ...world.state.currentL1, number: 0 };
    const included = Number(await world.anvil.rpc.call('eth_blockNumber'));
    for (let block = 0; block < 5; block++) await world.mine();
    await world.batcher({ waitNodeSync: true, checkRecentTxsDepth: 100 });
    await until('it waits for less', () =>
      world.lines.some((line) => line.includes(`Waits for the rollup node" l1=${included}`)),
    );
    await world.batcher({ waitNodeSync: true, checkRecentTxsDepth: 3 });
    await until('nothing is that near', () =>
      world.lines.some((line) => line.includes(`Waits for the rollup node" l1=${included + 5}`)),
    );
  });

  it('--sub-safety-margin must be within the sequencing window', async () => {
    const batcher = await world.batcher({ subSafetyMargin: 12 });
    await expect(batcher.failed).rejects.toMatchObject({ code: 'usage', exit: 2 });
  });
});
