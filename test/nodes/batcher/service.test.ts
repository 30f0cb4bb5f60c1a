import { afterEach, describe, expect, it } from 'vitest';
import { decodeBatcherTransaction } from '../../../src/protocol/codec/frame.ts';
import { decodeTransaction } from '../../../src/protocol/codec/transaction.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { GENESIS_TIME, INBOX } from '../../protocol/derivation/scripted/rollup.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { ACCOUNTS } from '../beacon/anvil.ts';
import { until } from './helpers.ts';
import type { BatcherChanges } from './launch.ts';
import { closeAll, servedSequencer, startServed } from './served.ts';

afterEach(closeAll);

describe('a batcher', () => {
  it('serves its RPC at once, and posts when its nodes answer', async () => {
    const { batcher, rpc, lines, data, posted, raw, seen, activities } = await startServed();
    expect(await rpc.call('health_status')).toBe('1.2.3');
    expect(await (await fetch(`http://127.0.0.1:${batcher.port}/readyz`)).text()).toBe('ready\n');
    expect(lines[0]).toContain(
      `"Batcher listens" address=http://127.0.0.1:${batcher.port} account=${ACCOUNTS[0]!.address}`,
    );
    await posted();
    expect(decodeTransaction(hexToBytes(raw[0]!)).fields['to']).toEqual(hexToBytes(INBOX));
    expect(decodeBatcherTransaction(data()[0]!)).toHaveLength(1);
    expect(seen.progress?.()).toEqual({ kind: 'poster' });
    await until('it is done', () => activities.every(({ isBusy }) => !isBusy));
  });

  it('is not done while its nodes do not answer', async () => {
    const { activities } = await startServed({ rollup: 'http://127.0.0.1:1' });
    expect(activities.some(({ isBusy }) => isBusy)).toBe(true);
  });

  it.each([
    [true, 'calldata'],
    [false, 'the method admin_dataAvailabilityType does not exist'],
  ])('serves its admin methods when it is told to: %s', async (enableAdmin, answer) => {
    const { rpc } = await startServed({ enableAdmin, stopped: true });
    const outcome = await rpc.call('admin_dataAvailabilityType').catch((error: Error) => error.message);
    expect(outcome).toContain(answer);
    expect(await rpc.call('health_status')).toBe('1.2.3');
  });

  it('serves the hosts of its options', async () => {
    const { batcher } = await startServed({ virtualHosts: ['node.example'], stopped: true });
    const ask = (host: string) =>
      patientClient({ url: `http://127.0.0.1:${batcher.port}`, headers: { host } }).call('health_status');
    expect(await ask('node.example')).toBe('1.2.3');
    await expect(ask('other.example')).rejects.toMatchObject({ status: 403 });
  });

  it('ends when its port is taken', async () => {
    const { batcher } = await startServed({ stopped: true });
    await expect(startServed({ rpcPort: batcher.port })).rejects.toMatchObject({
      ...{ code: 'listen', exit: 4, hint: expect.stringContaining('--rpc.port') },
    });
  });

  it.each<[string, BatcherChanges, object, object]>([
    ['nodes of another network', {}, { l1_chain_id: 1 }, { code: 'stranger' }],
    ['a margin of the sequencing window', { subSafetyMargin: 12 }, {}, { code: 'usage', exit: 2 }],
    ['commitments that the rollup does not read', { altDaEnabled: true }, {}, { code: 'alt-da', exit: 2 }],
  ])('fails with %s', async (_, changes, config, failure) => {
    const { batcher, lines, activities } = await startServed(changes, config);
    await expect(batcher.failed).rejects.toMatchObject(failure);
    expect(lines.some((line) => line.includes('Batcher runs'))).toBe(false);
    expect(activities.some(({ isBusy }) => isBusy)).toBe(true);
  });

  it('waits for admin_startBatcher when it is started stopped', async () => {
    const { rpc, raw, posted, lines, state } = await startServed({ stopped: true });
    expect(lines.some((line) => line.includes('Batcher runs'))).toBe(false);
    expect([raw.length, state.statusAsked]).toEqual([0, 0]);
    await rpc.call('admin_startBatcher');
    await posted();
  });

  it('polls at its interval, at least 10 ms of the clock', async () => {
    for (const [pollInterval, ms] of [
      [1, 10],
      [500, 500],
    ] as const) {
      const { state, manual, rpc, activities, runs } = await startServed({ pollInterval });
      await runs();
      const quiet = () => until('it rests', () => activities.every(({ isBusy }) => !isBusy));
      await until('it has polled', () => state.statusAsked === 1);
      await quiet();
      manual.moveTo(GENESIS_TIME + (ms - 1) / 1000);
      await rpc.call('health_status');
      await quiet();
      expect(state.statusAsked).toBe(1);
      manual.moveTo(GENESIS_TIME + ms / 1000);
      await until('it has polled again', () => state.statusAsked === 2);
    }
  });

  it('is stopped and started by its checkpoints', async () => {
    const { seen, runs, rpc, lines } = await startServed();
    await runs();
    await seen.checkpoints!.take(1);
    await seen.checkpoints!.suspend(1);
    await expect(rpc.call('admin_stopBatcher')).rejects.toThrow('batcher is not running');
    await seen.checkpoints!.resume(1);
    await until('it runs again', () => lines.filter((line) => line.includes('Batcher runs')).length === 2);
  });

  it('leaves no port when it stops, and polls no more', async () => {
    const { batcher, stop, posted, rpc, lines, manual, state, url } = await startServed();
    await posted();
    rpc.close();
    await stop();
    const [logged, polls] = [lines.length, state.statusAsked];
    manual.moveTo(GENESIS_TIME + 10);
    await patientClient({ url }).call('eth_chainId');
    await expect(fetch(`http://127.0.0.1:${batcher.port}`)).rejects.toThrow();
    expect([lines.slice(logged), state.statusAsked]).toEqual([[], polls]);
  });

  it('says and sends nothing after its end when L1 has not answered a transaction', async () => {
    const { stop, posted, lines, raw, pool, rpc, activities } = await startServed({ stopped: true });
    const answer = Promise.withResolvers<void>();
    pool.taken = answer.promise;
    await rpc.call('admin_startBatcher');
    await posted();
    const logged = lines.length;
    rpc.close();
    await stop();
    expect(activities.every(({ isBusy }) => !isBusy)).toBe(true);
    answer.resolve();
    await closeAll();
    expect([lines.slice(logged), raw.length]).toEqual([[], 1]);
  });

  it('stops while it waits for its nodes', async () => {
    const { stop, batcher } = await startServed({ rollup: 'http://127.0.0.1:1' });
    let isFailed = false;
    batcher.failed.catch(() => {
      isFailed = true;
    });
    await stop();
    expect(isFailed).toBe(false);
  });
});

describe('--wait-node-sync', () => {
  it.each([true, false])('is obeyed: %s', async (waitNodeSync) => {
    const { posted, state, lines, runs, activities } = await startServed({ waitNodeSync, pollInterval: 10 });
    await runs();
    if (waitNodeSync) {
      await until('it waits', () => lines.some((line) => line.includes('Waits for the rollup node" l1=5')));
      expect(activities.some(({ isBusy }) => isBusy)).toBe(true);
      state.currentL1 = { ...state.currentL1, number: 5 };
    }
    await posted();
    expect(lines.some((line) => line.includes('Waits for the rollup node'))).toBe(waitNodeSync);
  });
});

describe('the throttling of a batcher', () => {
  const VALUES: BatcherChanges = {
    ...{ throttleController: 'step', throttleLower: 200, throttleUpper: 1000 },
    ...{ throttleTxLower: 150, throttleTxUpper: 20_000, throttleBlockLower: 2000, throttleBlockUpper: 130_000 },
  };

  it('limits the execution clients of its options by their load', async () => {
    const further = await servedSequencer();
    const { state, rpc } = await startServed({ ...VALUES, throttleEndpoints: [further.url] });
    for (const { limits } of [state, further.state])
      await until('it is limited', () => limits!.at(-1)?.map(Number).join() === '150,2000');
    expect(await rpc.call('admin_getThrottleController')).toEqual({
      ...{ type: 'step', threshold: 200, current_load: 300, intensity: 1, max_tx_size: 150, max_block_size: 2000 },
    });
    const linear = await startServed({
      ...VALUES,
      throttleController: 'linear',
      throttleLower: 250,
      throttleUpper: 350,
    });
    await until('it is limited', () => linear.state.limits!.at(-1)?.map(Number).join() === '10075,66000');
  });

  it('is off with a lower threshold of 0', async () => {
    const { state, rpc, posted } = await startServed({ ...VALUES, throttleLower: 0 });
    await posted();
    await expect(rpc.call('admin_getThrottleController')).rejects.toThrow('throttling is off');
    expect(state.limits).toEqual([]);
  });
});
