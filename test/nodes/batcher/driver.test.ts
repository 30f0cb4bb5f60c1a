import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBatcherTransaction } from '../../../src/protocol/codec/frame.ts';
import { l2BlockRef } from '../../../src/protocol/derivation/attributes/l2-block-ref.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { ACCOUNTS } from '../beacon/anvil.ts';
import { BatcherHarness } from './harness.ts';
import { until } from './helpers.ts';

describe('batcher', () => {
  let harness: BatcherHarness;
  beforeEach(async () => {
    harness = await BatcherHarness.start();
  });
  afterEach(() => harness.close());

  it.each([
    { batchType: '0', compression: 'zlib' },
    { batchType: '1', compression: 'brotli' },
  ] as const)(
    'posts batches of type $batchType in $compression that derive to the sequencer’s chain',
    async (changes) => {
      await harness.grow(3);
      await harness.batcher(changes);
      await harness.posted();
      await harness.grow(2);
      await harness.posted();
      expect(await harness.derived()).toEqual(harness.hashes);
    },
  );

  it('splits a large channel into frames, in order', async () => {
    await harness.grow(4);
    await harness.batcher({ maxTxSize: 300, targetNumFrames: 100 });
    await harness.posted();
    const frames = (await harness.inbox()).flatMap((data) => decodeBatcherTransaction(data));
    expect(frames.length).toBeGreaterThan(2);
    expect(frames.map(({ number }) => number)).toEqual(frames.map((_, at) => at));
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('posts calldata or blobs, whichever is cheaper or an administrator chose', async () => {
    await harness.grow(2);
    const batcher = await harness.batcher({ dataAvailability: 'auto', batchType: '1' });
    await harness.posted();
    expect(await harness.admin(batcher, 'admin_dataAvailabilityType')).toBe('auto');
    await harness.admin(batcher, 'admin_setDataAvailabilityType', 'calldata');
    harness.lines.length = 0;
    await harness.grow(1);
    await harness.posted();
    expect(await harness.types()).toEqual([3, 2]);
    expect(await harness.derived()).toEqual(harness.hashes);
    await expect(harness.admin(batcher, 'admin_setDataAvailabilityType', 'blob')).rejects.toThrow(
      'calldata, blobs, auto',
    );
  });

  it('rebuilds an unposted channel when the data availability type changes', async () => {
    await harness.grow(2);
    const batcher = await harness.batcher({ dataAvailability: 'blobs', maxChannelDuration: 0, batchType: '1' });
    await harness.looked();
    await harness.admin(batcher, 'admin_setDataAvailabilityType', 'calldata');
    await harness.admin(batcher, 'admin_flushBatcher');
    await harness.posted();
    expect(await harness.types()).toEqual([2]);
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('reads the fork times of the rollup node again when they change', async () => {
    const moved = await BatcherHarness.start('isthmus', { jovian: 10 });
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

  it('starts at the safe head after a stop, and loses no block', async () => {
    await harness.grow(3);
    const first = await harness.batcher();
    await harness.waiting();
    await first.stop();
    // Its transactions are included while it is stopped, and their first blocks are derived before it restarts.
    await harness.mine();
    const safe = harness.network.sequencer.chain()[4]!;
    harness.state.safe = l2BlockRef(safe, harness.network.rollup.config.genesis);
    await harness.grow(1);
    await harness.batcher();
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('raises the fees of a transaction that is not included, until it is', async () => {
    await harness.grow(1);
    await harness.batcher({ resubmissionTimeout: 150 });
    const [first] = await harness.waiting();
    await harness.anvil.rpc.call('anvil_setNextBlockBaseFeePerGas', [first!.maxFeePerGas]);
    const [raised] = await until('the posting was replaced', async () => {
      const pool = await harness.pooled();
      return pool.length === 1 && pool[0]!.hash !== first!.hash && pool;
    });
    expect(BigInt(raised!.maxFeePerGas)).toBeGreaterThanOrEqual((BigInt(first!.maxFeePerGas) * 11n) / 10n);
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('resends a transaction that L1 dropped', async () => {
    await harness.grow(1);
    await harness.batcher();
    await harness.waiting();
    await harness.anvil.rpc.call('anvil_dropAllTransactions');
    await harness.waiting();
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('posts the new blocks after the sequencer reorganised', async () => {
    await harness.grow(2);
    await harness.batcher();
    await harness.posted();
    harness.network.sequencer.rewind(3);
    await harness.network.build([userTransaction(77)]);
    await harness.grow(1, 1000);
    await until('it noticed', () => harness.lines.some((line) => line.includes('starts again from the safe head')));
    harness.lines.length = 0;
    await harness.posted();
    const replaced = (await harness.inbox()).slice(1);
    expect(replaced.length).toBeGreaterThan(0);
    // The first submission belongs to the abandoned chain; the later ones derive the new one.
    expect(await harness.derivedFrom(replaced)).toEqual(harness.hashes);
  });

  it('posts blocks again when derivation passed their batches without making them safe', async () => {
    await harness.grow(1);
    await harness.batcher();
    await harness.posted();
    const before = (await harness.inbox()).length;
    harness.lines.length = 0;
    for (let block = 0; block < 5; block++) await harness.mine();
    harness.state.currentL1 = { ...harness.state.currentL1, number: 5 };
    await until('it noticed', () => harness.lines.some((line) => line.includes('is not safe')));
    await until('it was posted again', async () => {
      harness.pass();
      if ((await harness.pooled()).length > 0) await harness.mine();
      return (await harness.inbox()).length > before;
    });
    const [, again] = await harness.inbox();
    expect(await harness.derivedFrom([again!])).toEqual(harness.hashes);
  });

  it('posts blocks again that are no longer safe, once the rollup node has derived again', async () => {
    await harness.grow(2);
    const genesis = harness.state.safe;
    await harness.batcher();
    await harness.posted();
    const before = (await harness.inbox()).length;
    harness.state.currentL1 = { ...harness.state.currentL1, number: 5 };
    harness.state.safe = harness.state.unsafe;
    await harness.looked();
    // After a reorganisation of L1 the node derives from genesis.
    harness.state.currentL1 = { ...harness.state.currentL1, number: 1 };
    harness.state.safe = genesis;
    await harness.looked();
    expect(await harness.pooled()).toHaveLength(0);
    for (let block = 0; block < 10; block++) await harness.mine();
    harness.state.currentL1 = { ...harness.state.currentL1, number: 6 };
    await harness.waiting();
    await harness.mine();
    const again = (await harness.inbox()).slice(before);
    expect(await harness.derivedFrom(again)).toEqual(harness.hashes);
  });

  it('starts, stops and flushes by its admin methods', async () => {
    const batcher = await harness.batcher({ stopped: true, maxChannelDuration: 1000 });
    await harness.grow(1);
    await expect(harness.admin(batcher, 'admin_stopBatcher')).rejects.toThrow('batcher is not running');
    await expect(harness.admin(batcher, 'admin_flushBatcher')).rejects.toThrow('batcher is not running');
    expect(await harness.admin(batcher, 'admin_startBatcher')).toBeNull();
    await expect(harness.admin(batcher, 'admin_startBatcher')).rejects.toThrow('batcher is already running');
    await until('it runs', () => harness.lines.some((line) => line.includes('Batcher runs')));
    await harness.admin(batcher, 'admin_flushBatcher');
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
    expect(await harness.admin(batcher, 'admin_stopBatcher')).toBeNull();
    const closed = await harness.batcher({ enableAdmin: false });
    await expect(harness.admin(closed, 'admin_stopBatcher')).rejects.toThrow('does not exist');
    expect(await harness.admin(closed, 'health_status')).toBe('test');
  });

  it('warns when its account cannot pay, and continues when it can', async () => {
    const { address } = ACCOUNTS[0]!;
    await harness.anvil.rpc.call('anvil_setBalance', [address, '0x1']);
    await harness.grow(1);
    await harness.batcher();
    const warning = await until('it says so', () => {
      harness.pass();
      return harness.lines.find((line) => line.includes('cannot pay'));
    });
    expect(warning).toContain(address);
    await harness.anvil.rpc.call('anvil_setBalance', [address, '0xde0b6b3a7640000']);
    await harness.posted();
    expect(await harness.derived()).toEqual(harness.hashes);
  });

  it('refuses endpoints of another network', async () => {
    const other = { ...harness.state.rollup.config, l1_chain_id: 1 };
    Object.assign(harness.state, { rollup: { ...harness.state.rollup, config: other } });
    const batcher = await harness.batcher();
    await expect(batcher.failed).rejects.toMatchObject({ code: 'stranger', exit: 1 });
  });
});
