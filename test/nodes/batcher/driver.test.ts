import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBatcherTransaction } from '../../../src/protocol/codec/frame.ts';
import { l2BlockRef } from '../../../src/protocol/codec/l2-block-ref.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { ACCOUNTS } from '../shared/txmgr/anvil.ts';
import { until } from '../shared/txmgr/helpers.ts';
import { World } from './world.ts';

describe('batcher', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.close());

  it.each([
    { batchType: '0', compression: 'zlib' },
    { batchType: '1', compression: 'brotli' },
  ] as const)(
    'posts batches of type $batchType in $compression that derive to the sequencer’s chain',
    async (changes) => {
      await world.grow(3);
      await world.batcher(changes);
      await world.posted();
      await world.grow(2);
      await world.posted();
      expect(await world.derived()).toEqual(world.hashes);
    },
  );

  it('splits a large channel into frames, in order', async () => {
    await world.grow(4);
    await world.batcher({ maxTxSize: 300, targetNumFrames: 100 });
    await world.posted();
    const frames = (await world.inbox()).flatMap((data) => decodeBatcherTransaction(data));
    expect(frames.length).toBeGreaterThan(2);
    expect(frames.map(({ number }) => number)).toEqual(frames.map((_, at) => at));
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('posts what is cheaper, and what an administrator says', async () => {
    await world.grow(2);
    const batcher = await world.batcher({ dataAvailability: 'auto', batchType: '1' });
    await world.posted();
    expect(await world.admin(batcher, 'admin_dataAvailabilityType')).toBe('auto');
    await world.admin(batcher, 'admin_setDataAvailabilityType', 'calldata');
    world.lines.length = 0;
    await world.grow(1);
    await world.posted();
    expect(await world.types()).toEqual([3, 2]);
    expect(await world.derived()).toEqual(world.hashes);
    await expect(world.admin(batcher, 'admin_setDataAvailabilityType', 'blob')).rejects.toThrow(
      'calldata, blobs, auto',
    );
  });

  it('builds the channel that is not posted yet anew when what carries it changes', async () => {
    await world.grow(2);
    const batcher = await world.batcher({ dataAvailability: 'blobs', maxChannelDuration: 0, batchType: '1' });
    await world.looked();
    await world.admin(batcher, 'admin_setDataAvailabilityType', 'calldata');
    await world.admin(batcher, 'admin_flushBatcher');
    await world.posted();
    expect(await world.types()).toEqual([2]);
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('reads the fork times of the rollup node anew when they were changed', async () => {
    const moved = await World.start('isthmus', { jovian: 10 });
    try {
      const times = moved.state.forkTimes;
      moved.state.forkTimes = { ...times, jovian_time: times['jovian_time']! + 1000 };
      await moved.grow(1);
      await moved.batcher();
      await moved.posted();
      moved.state.forkTimes = times;
      await moved.grow(4);
      await moved.posted();
      expect(await moved.derived()).toEqual(moved.hashes);
    } finally {
      await moved.close();
    }
  });

  it('starts again at the safe head after it was stopped, and loses no block', async () => {
    await world.grow(3);
    const first = await world.batcher();
    await world.waiting();
    await first.stop();
    // What it sent is included while it is away, and the first blocks of it are derived before it is back.
    await world.mine();
    const safe = world.network.sequencer.chain()[4]!;
    world.state.safe = l2BlockRef(safe, world.network.rollup.config.genesis);
    await world.grow(1);
    await world.batcher();
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('raises the fees of a transaction that is not included, until it is', async () => {
    await world.grow(1);
    await world.batcher({ resubmissionTimeout: 150 });
    const [first] = await world.waiting();
    await world.anvil.rpc.call('anvil_setNextBlockBaseFeePerGas', [first!.maxFeePerGas]);
    const [raised] = await until('the posting was replaced', async () => {
      const pool = await world.pooled();
      return pool.length === 1 && pool[0]!.hash !== first!.hash && pool;
    });
    expect(BigInt(raised!.maxFeePerGas)).toBeGreaterThanOrEqual((BigInt(first!.maxFeePerGas) * 11n) / 10n);
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('sends again what L1 dropped', async () => {
    await world.grow(1);
    await world.batcher();
    await world.waiting();
    await world.anvil.rpc.call('anvil_dropAllTransactions');
    await world.waiting();
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('posts the new blocks after the sequencer reorganised', async () => {
    await world.grow(2);
    await world.batcher();
    await world.posted();
    world.network.sequencer.rewind(3);
    await world.network.build([userTransaction(77)]);
    await world.grow(1, 1000);
    await until('it noticed', () => world.lines.some((line) => line.includes('starts again from the safe head')));
    world.lines.length = 0;
    await world.posted();
    const replaced = (await world.inbox()).slice(1);
    expect(replaced.length).toBeGreaterThan(0);
    // The first posting belongs to the abandoned chain; what came after it derives the new one.
    expect(await world.derivedFrom(replaced)).toEqual(world.hashes);
  });

  it('posts again what derivation passed without its becoming safe', async () => {
    await world.grow(1);
    await world.batcher();
    await world.posted();
    const before = (await world.inbox()).length;
    world.lines.length = 0;
    for (let block = 0; block < 5; block++) await world.mine();
    world.state.currentL1 = { ...world.state.currentL1, number: 5 };
    await until('it noticed', () => world.lines.some((line) => line.includes('is not safe')));
    await until('it was posted again', async () => {
      world.pass();
      if ((await world.pooled()).length > 0) await world.mine();
      return (await world.inbox()).length > before;
    });
    const [, again] = await world.inbox();
    expect(await world.derivedFrom([again!])).toEqual(world.hashes);
  });

  it('posts again what was safe and is not any more, once the rollup node has derived anew', async () => {
    await world.grow(2);
    const genesis = world.state.safe;
    await world.batcher();
    await world.posted();
    const before = (await world.inbox()).length;
    world.state.currentL1 = { ...world.state.currentL1, number: 5 };
    world.state.safe = world.state.unsafe;
    await world.looked();
    // L1 was reorganised: the node begins at genesis.
    world.state.currentL1 = { ...world.state.currentL1, number: 1 };
    world.state.safe = genesis;
    await world.looked();
    expect(await world.pooled()).toHaveLength(0);
    for (let block = 0; block < 10; block++) await world.mine();
    world.state.currentL1 = { ...world.state.currentL1, number: 6 };
    await world.waiting();
    await world.mine();
    const again = (await world.inbox()).slice(before);
    expect(await world.derivedFrom(again)).toEqual(world.hashes);
  });

  it('is started, stopped and flushed by its admin methods', async () => {
    const batcher = await world.batcher({ stopped: true, maxChannelDuration: 1000 });
    await world.grow(1);
    await expect(world.admin(batcher, 'admin_stopBatcher')).rejects.toThrow('batcher is not running');
    await expect(world.admin(batcher, 'admin_flushBatcher')).rejects.toThrow('batcher is not running');
    expect(await world.admin(batcher, 'admin_startBatcher')).toBeNull();
    await expect(world.admin(batcher, 'admin_startBatcher')).rejects.toThrow('batcher is already running');
    await until('it runs', () => world.lines.some((line) => line.includes('Batcher runs')));
    await world.admin(batcher, 'admin_flushBatcher');
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
    expect(await world.admin(batcher, 'admin_stopBatcher')).toBeNull();
    const closed = await world.batcher({ enableAdmin: false });
    await expect(world.admin(closed, 'admin_stopBatcher')).rejects.toThrow('does not exist');
    expect(await world.admin(closed, 'health_status')).toBe('test');
  });

  it('says when its account cannot pay, and goes on when it can', async () => {
    const { address } = ACCOUNTS[0]!;
    await world.anvil.rpc.call('anvil_setBalance', [address, '0x1']);
    await world.grow(1);
    await world.batcher();
    const said = await until('it says so', () => {
      world.pass();
      return world.lines.find((line) => line.includes('cannot pay'));
    });
    expect(said).toContain(address);
    await world.anvil.rpc.call('anvil_setBalance', [address, '0xde0b6b3a7640000']);
    await world.posted();
    expect(await world.derived()).toEqual(world.hashes);
  });

  it('refuses endpoints of another network', async () => {
    const other = { ...world.state.rollup.config, l1_chain_id: 1 };
    Object.assign(world.state, { rollup: { ...world.state.rollup, config: other } });
    const batcher = await world.batcher();
    await expect(batcher.failed).rejects.toMatchObject({ code: 'stranger', exit: 1 });
  });
});
