import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Hex } from '../../../src/protocol/types.ts';
import { webSocketClient } from '../../../src/rpc/websocket-client.ts';
import { fileSize } from '../../../src/system/folder.ts';
import { ACCOUNTS } from './support/accounts.ts';
import { Driver, l1Info } from './support/driver.ts';
import { GENESIS_TIME, genesisText } from './support/genesis.ts';
import { launch, type TestNode } from './support/nodes.ts';
import { schedule } from './support/sample-chain.ts';

/** Endless code. */
const ENDLESS = '0x00000000000000000000000000000000000e4d1e';
const ALLOC = { [ENDLESS]: { balance: '0x0', code: '0x5b600056' } };
/** Code may run longer than this test. */
const PATIENT = { callTime: 120_000, gasCap: 2n ** 60n };

/** Workers that this test started, the newest last. */
const threads: Worker[] = [];
const keep = (worker: Worker) => void threads.push(worker);
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  threads.length = 0;
  unhandled.length = 0;
  process.on('worker', keep);
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('worker', keep);
  process.off('unhandledRejection', note);
});

const balance = ({ rpc }: TestNode) => rpc.call('eth_getBalance', [ACCOUNTS[0]!.address, 'latest']);
const RICH = `0x${(10n ** 22n).toString(16)}`;

test('where the thread cannot begin, the main thread answers', async () => {
  await using node = await launch(genesisText(schedule), { readWorker: { mode: 'always' } });
  vi.spyOn(node.node.context.chain.store, 'share').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  expect(await balance(node)).toBe(RICH);
  expect(await balance(node)).toBe(RICH);
  expect(node.node.readWorker.isRunning).toBe(false);
  expect(threads).toEqual([]);
});

test('where the thread cannot begin beside building, no promise is left rejected', async () => {
  const limits = { ...PATIENT, callTime: 500 };
  await using node = await launch(genesisText(schedule, ALLOC), { limits, readWorker: { mode: 'when-busy' } });
  const share = vi.spyOn(node.node.context.chain.store, 'share').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  // Two concurrent calls keep the main thread busy. Other requests arrive until the worker would start.
  let isOver = false;
  const busy = async () => {
    while (!isOver) await node.rpc.call('eth_call', [{ to: ENDLESS }, 'latest']).catch(() => {});
  };
  const running = [busy(), busy()];
  while (share.mock.calls.length === 0) expect(await balance(node)).toBe(RICH);
  expect(await balance(node)).toBe(RICH);
  isOver = true;
  await Promise.all(running);
  await turn();
  expect(unhandled).toEqual([]);
});

test('a crashed worker fails its requests with an error, and a new worker answers the next one', async () => {
  await using node = await launch(genesisText(schedule, ALLOC), { limits: PATIENT, readWorker: { mode: 'always' } });
  const socket = webSocketClient({ url: node.wsUrl, timeoutMs: 60_000 });
  const calls = [1, 2, 3].map(() => socket.call('eth_call', [{ to: ENDLESS }, 'latest']).catch((error) => error));
  // Requests of one connection run in order.
  await socket.call('eth_getBalance', [ACCOUNTS[0]!.address, 'latest']);
  threads.at(-1)!.postMessage(undefined);
  for (const call of calls)
    expect(await call).toMatchObject({ code: -32603, message: expect.stringMatching(/^the read worker ended: /) });
  expect(await socket.call('eth_getBalance', [ACCOUNTS[0]!.address, 'latest'])).toBe(RICH);
  expect(node.node.readWorker.isRunning).toBe(true);
  expect(threads).toHaveLength(2);
  socket.close();
});

test('an idle worker ends, and requests that arrive meanwhile are answered', async () => {
  await using node = await launch(genesisText(schedule), { readWorker: { mode: 'always', idle: 50 } });
  for (let round = 1; round <= 3; round++) {
    expect(await balance(node)).toBe(RICH);
    expect(threads).toHaveLength(round);
    const thread = threads.at(-1)!;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    await expect.poll(() => node.node.readWorker.isRunning, { interval: 1 }).toBe(false);
    // The worker is about to end, but has not ended yet.
    if (round === 2) expect(await balance(node)).toBe(RICH);
    await ended;
  }
});

test('a long write-ahead log is emptied while requests keep coming, and each of them is answered', async () => {
  const readWorker = { mode: 'always', checkpointInterval: 20, maxWalBytes: 256 * 1024 } as const;
  await using node = await launch(genesisText(schedule), { flavour: 'go', readWorker });
  const log = join(node.datadir, 'chain.db-wal');
  const driver = new Driver(node.engine, schedule);
  let parent = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  let number = 0;
  let isOver = false;
  const reader = async () => {
    let seen = 0;
    while (!isOver) {
      const block = await node.rpc.call<{ number: Hex; transactions: unknown[] }>('eth_getBlockByNumber', [
        'latest',
        true,
      ]);
      expect(Number(block.number)).toBeGreaterThanOrEqual(seen);
      seen = Number(block.number);
    }
    return seen;
  };
  const readers = Array.from({ length: 8 }, reader);
  let longest = 0;
  while (fileSize(log) >= longest) {
    longest = Math.max(longest, fileSize(log));
    parent = (await driver.build(parent, GENESIS_TIME + 2 * ++number, [l1Info(number)])).hash;
  }
  isOver = true;
  for (const seen of await Promise.all(readers)) expect(seen).toBeGreaterThan(0);
  expect(longest).toBeGreaterThan(readWorker.maxWalBytes);
  expect(await node.rpc.call('eth_blockNumber', [])).toBe(`0x${number.toString(16)}`);
});

test('the thread brings the write-ahead log into the file, and requests are answered meanwhile', async () => {
  await using node = await launch(genesisText(schedule), { readWorker: { mode: 'always', checkpointInterval: 20 } });
  const file = join(node.datadir, 'chain.db');
  const driver = new Driver(node.engine, schedule);
  let parent = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  expect(node.node.readWorker.isRunning).toBe(true);
  const before = fileSize(file);
  // Without the worker the main thread would let a thousand such blocks accumulate.
  for (let number = 1; fileSize(file) === before; number++) {
    parent = (await driver.build(parent, GENESIS_TIME + 2 * number, [l1Info(number)])).hash;
    expect(await node.rpc.call('eth_blockNumber', [])).toBe(`0x${number.toString(16)}`);
    expect(number).toBeLessThan(500);
  }
  // A failed worker ends, and no request is lost.
  threads.at(-1)!.postMessage(undefined);
  await expect.poll(() => node.node.readWorker.isRunning, { interval: 1 }).toBe(false);
  expect(await balance(node)).toBe(RICH);
});
