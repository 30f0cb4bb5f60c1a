import { afterEach, expect, it, vi } from 'vitest';
import { type RunningBeacon, startBeacon } from '../../../src/nodes/beacon/service.ts';
import { quantity } from '../../../src/protocol/hex.ts';
import type { Clock } from '../../../src/system/clock.ts';
import type { Points } from '../../../src/system/points.ts';
import {
  ACCOUNTS,
  CHAIN_ID,
  GENESIS_TIME,
  startAnvil,
  type TestAnvil,
  temporaryFolder,
} from '../shared/txmgr/anvil.ts';
import { manualClock, memoryLog, until } from '../shared/txmgr/helpers.ts';

const SLOT = 2;
const [from] = ACCOUNTS;
const other = '0x00000000000000000000000000000000000000bb';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop();
});

/** Starts a beacon on a new anvil, and returns what has it keep L1. */
async function start(datadir: string, clock: Clock) {
  const anvil: TestAnvil = await startAnvil({ port: 0, trustsBlobs: false });
  running.push({ stop: () => anvil.kill() });
  let keep: () => Promise<void> = () => Promise.reject(new Error('not set'));
  let points: Points | undefined;
  const beacon: RunningBeacon = await startBeacon(
    {
      ...{ l1: anvil.url, chainId: CHAIN_ID, genesisHash: undefined, hardfork: 'prague', genesisTime: GENESIS_TIME },
      ...{ secondsPerSlot: SLOT, mine: true, maxCatchUp: 32, datadir, host: '127.0.0.1', port: 0, version: 'test' },
    },
    { ...clock, onKeep: (next) => (keep = next), onPoints: (next) => (points = next) },
    memoryLog().log,
  );
  beacon.failed.catch(() => undefined);
  running.push(beacon);
  const call = <T>(method: string, ...params: unknown[]) => anvil.rpc.call<T>(method, params);
  const head = async () => (await call<{ hash: string; number: string }>('eth_getBlockByNumber', 'latest', false)).hash;
  return { beacon, call, head, keep: () => keep(), points: points! };
}

it('a new L1 gets what no transaction made, and the transactions that waited', async () => {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const first = await start(datadir, clock);
  clock.moveTo(GENESIS_TIME + 3 * SLOT);
  await until('block 3', async () => (await first.call('eth_blockNumber')) === quantity(3));
  await first.call('anvil_setBalance', other, '0x77');
  clock.moveTo(GENESIS_TIME + 4 * SLOT);
  await until('block 4', async () => (await first.call('eth_blockNumber')) === quantity(4));
  const account = { from: from!.address, to: other, value: '0x1' };
  await first.call('eth_sendTransaction', account);
  // The journal has the block soon after L1.
  await vi.waitFor(() => first.keep(), { timeout: 20_000 });
  const head = await first.head();
  const transaction = await first.call<string>('eth_sendTransaction', { ...account, value: '0x5' });
  clock.moveTo(GENESIS_TIME + 5 * SLOT);
  await until('block 5', async () => (await first.call('eth_getTransactionReceipt', transaction)) !== null);
  const last = await first.head();
  for (const each of running.splice(0).reverse()) await each.stop();

  // The journal has a block more than the kept state: it is made again upon it.
  const second = await start(datadir, clock);
  await until('block 5', async () => (await second.head()) === last);
  expect(await second.call('eth_getBlockByNumber', '0x4', false)).toMatchObject({ hash: head });
  expect(await second.call('eth_getBalance', other, 'latest')).toBe(quantity(0x77 + 6));
});

it('L1 goes back to a point with its journal and its pool, and makes other blocks from there', async () => {
  const datadir = temporaryFolder();
  const clock = manualClock(GENESIS_TIME);
  const { call, head, points } = await start(datadir, clock);
  const made = async (number: number) => {
    clock.moveTo(GENESIS_TIME + number * SLOT);
    await until(`block ${number}`, async () => (await call('eth_blockNumber')) === quantity(number));
  };
  await made(2);
  const waiting = await call<string>('eth_sendTransaction', { from: from!.address, to: other, value: '0x7' });
  // The journal has the block soon after L1.
  await vi.waitFor(() => points.remember(1), { timeout: 20_000 });
  const then = await head();
  const seen = new Set<string>();
  for (let times = 1; times <= 3; times++) {
    await call('anvil_setBalance', other, quantity(times * 1000));
    await made(4);
    expect(await call('eth_getBalance', other, 'latest')).toBe(quantity(times * 1000 + 7));
    expect(await call('eth_getTransactionReceipt', waiting)).toMatchObject({ blockNumber: '0x3' });
    seen.add(await head());
    await points.suspend(1);
    await points.goBack(1);
    clock.moveTo(GENESIS_TIME + 2 * SLOT);
    await points.resume(1);
    expect(await head()).toBe(then);
    expect(await call('eth_getBalance', other, 'latest')).toBe('0x0');
    expect(await call('txpool_status')).toMatchObject({ pending: '0x1', queued: '0x0' });
  }
  expect(seen.size).toBe(3);
});
