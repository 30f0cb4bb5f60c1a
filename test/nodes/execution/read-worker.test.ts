import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import type { FlavourName } from '../../../src/nodes/execution/flavours/flavour.ts';
import { FLAVOURS } from '../../../src/nodes/execution/flavours/index.ts';
import { READS, tableOf } from '../../../src/nodes/execution/methods/namespaces.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RpcClient } from '../../../src/rpc/client.ts';
import { webSocketClient } from '../../../src/rpc/websocket-client.ts';
import { CALLS, MALFORMED } from './conformance/calls.ts';
import { ACCOUNTS } from './support/accounts.ts';
import { Driver, deposit, l1Info } from './support/driver.ts';
import { GENESIS_TIME, genesisText, LOGGER } from './support/genesis.ts';
import { launch, type TestNode, temporaryFolder } from './support/nodes.ts';
import { type SampleChain, sampleChain, schedule, topic } from './support/sample-chain.ts';

const flavours: readonly FlavourName[] = ['go', 'rust'];
let chain: SampleChain;
/** Nodes with the sample's blocks that always read in the worker. */
const aside = {} as Record<FlavourName, TestNode>;

beforeAll(async () => {
  chain = await sampleChain();
  for (const flavour of flavours) {
    const node = await launch(genesisText(schedule), { flavour, readWorker: { mode: 'always' } });
    aside[flavour] = node;
    const driver = new Driver(node.engine, schedule);
    for (const block of chain.blocks) await driver.import(block);
    await driver.makeCanonical(chain.blocks.at(-1)!.hash, undefined, chain.blocks[0]!.hash);
  }
});
afterAll(async () => {
  for (const node of [chain, ...Object.values(aside)]) await node[Symbol.asyncDispose]();
});

/** Returns the result or the error of a request. */
async function outcome(client: RpcClient, name: string, params: readonly unknown[]): Promise<unknown> {
  return client.call(name, [...params]).catch(({ code, message, data }) => ({ code, message, data }));
}

describe.each(flavours)('the read worker of the %s flavour', (flavour) => {
  const table = tableOf(FLAVOURS[flavour].namespaces, FLAVOURS[flavour]);

  test.each(Object.keys(READS).filter((name) => name in table))('answers %s as the main thread does', async (name) => {
    const unknown = [topic(404), '0x63', MALFORMED].map((first) => [first]);
    for (const params of [...(await CALLS[name]!.calls(chain)), ...unknown])
      expect(await outcome(aside[flavour].rpc, name, params)).toEqual(await outcome(chain[flavour].rpc, name, params));
    expect(aside[flavour].node.readWorker.isRunning).toBe(true);
  });
});

test('an announced head is readable with logs and state, also after a reorg', async () => {
  await using node = await launch(genesisText(schedule), { flavour: 'go', readWorker: { mode: 'always' } });
  const driver = new Driver(node.engine, schedule);
  const socket = webSocketClient({ url: node.wsUrl });
  const told: Hex[] = [];
  const waiting: (() => void)[] = [];
  await socket.subscribe(
    ['newHeads'],
    (head) => {
      told.push((head as { hash: Hex }).hash);
      waiting.shift()?.();
    },
    () => {},
  );
  const genesis = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  for (let round = 0; round < 6; round++) {
    // Each round starts from the genesis block, so all earlier blocks leave the chain.
    let parent = genesis.hash;
    for (let number = 1; number <= 2; number++) {
      const logged = deposit({ to: LOGGER, data: topic(round) });
      const isTold = new Promise<void>((resolve) => waiting.push(resolve));
      const built = driver.build(parent, GENESIS_TIME + 2 * number, [l1Info(number), logged]);
      await isTold;
      const hash = told.at(-1)!;
      const [block, logs, byHash, traces, count] = await Promise.all([
        socket.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', true]),
        socket.call<{ blockHash: Hex }[]>('eth_getLogs', [{ fromBlock: '0x1', address: LOGGER }]),
        socket.call<{ number: Hex }>('eth_getBlockByHash', [hash, false]),
        socket.call<unknown[]>('debug_traceBlockByHash', [hash, { tracer: 'callTracer' }]),
        socket.call('eth_getBlockReceipts', ['latest']).then((receipts) => (receipts as unknown[]).length),
      ]);
      expect(block.hash).toBe(hash);
      expect(byHash.number).toBe(`0x${number}`);
      expect(logs.map(({ blockHash }) => blockHash)).toEqual(number === 1 ? [hash] : [parent, hash]);
      expect([traces.length, count]).toEqual([2, 2]);
      parent = (await built).hash;
    }
  }
  await node.rpc.call('debug_setHead', ['0x0']);
  expect(await socket.call('eth_getBlockByNumber', ['0x1', false])).toBeNull();
  expect(await socket.call('eth_getLogs', [{ fromBlock: '0x0', address: LOGGER }])).toEqual([]);
  socket.close();
});

test('ends code at its time, keeps other processes out of the datadir, and leaves nothing behind', async () => {
  const datadir = temporaryFolder();
  const endless = '0x00000000000000000000000000000000000e4d1e';
  const alloc = { [endless]: { balance: '0x0', code: '0x5b600056' } };
  const options = {
    datadir,
    keep: true,
    limits: { callTime: 200, gasCap: 2n ** 60n },
    readWorker: { mode: 'always' },
  } as const;
  {
    await using node = await launch(genesisText(schedule, alloc), options);
    const calls = [1, 2].map(() => outcome(node.rpc, 'eth_call', [{ to: endless }, 'latest']));
    const balance = await node.rpc.call('eth_getBalance', [ACCOUNTS[0]!.address, 'latest']);
    expect(balance).toBe(`0x${(10n ** 22n).toString(16)}`);
    for (const call of calls)
      expect(await call).toMatchObject({ code: -32000, message: 'execution aborted (timeout = 0.2s)' });
    expect(() => openChain({ datadir, overrides: {} })).toThrow(/is open in another process/);
    // The worker ends while a request runs.
    void outcome(node.rpc, 'eth_call', [{ to: endless }, 'latest']);
  }
  expect(['chain.db-wal', 'chain.db-shm', 'lock-journal'].filter((name) => existsSync(join(datadir, name)))).toEqual(
    [],
  );
  openChain({ datadir, overrides: {} }).store.close();
  rmSync(datadir, { recursive: true });
});
