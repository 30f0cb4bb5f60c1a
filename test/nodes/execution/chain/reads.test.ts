import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChain } from '../../../../src/nodes/execution/chain/datadir.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, LOGGER } from '../support/genesis.ts';
import { launch, temporaryFolder } from '../support/nodes.ts';
import { schedule, topic } from '../support/sample-chain.ts';

/** Returns the result or the error of a request. */
async function outcome(client: RpcClient, name: string, params: readonly unknown[]): Promise<unknown> {
  return client.call(name, [...params]).catch(({ code, message, data }) => ({ code, message, data }));
}

test('an announced head is readable with logs and state, also after a reorg', async () => {
  await using node = await launch(genesisText(schedule), { flavour: 'go' });
  const driver = new Driver(node.engine, schedule);
  const socket = webSocketClient({ url: node.wsUrl });
  const heads: Hex[] = [];
  const waiting: (() => void)[] = [];
  await socket.subscribe(
    ['newHeads'],
    (head) => {
      heads.push((head as { hash: Hex }).hash);
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
      const hash = heads.at(-1)!;
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

test('a read worker ends code at its time limit, excludes other processes, and leaves nothing behind', async () => {
  const datadir = temporaryFolder();
  const endless = '0x00000000000000000000000000000000000e4d1e';
  const alloc = { [endless]: { balance: '0x0', code: '0x5b600056' } };
  const options = {
    datadir,
    keep: true,
    limits: { callTime: 200, gasCap: 2n ** 60n },
  } as const;
  {
    await using node = await launch(genesisText(schedule, alloc), options);
    const calls = [1, 2].map(() => outcome(node.rpc, 'eth_call', [{ to: endless }, 'latest']));
    const balance = await node.rpc.call('eth_getBalance', [ACCOUNTS[0]!.address, 'latest']);
    expect(balance).toBe(`0x${(10n ** 22n).toString(16)}`);
    for (const call of calls)
      expect(await call).toMatchObject({ code: -32000, message: 'execution aborted (timeout = 0.2s)' });
    expect(() => openChain({ datadir, overrides: {} })).toThrow(/is open in another process/);
    // The node closes while a request runs.
    void outcome(node.rpc, 'eth_call', [{ to: endless }, 'latest']);
  }
  expect(['chain.db-wal', 'chain.db-shm'].filter((name) => existsSync(join(datadir, name)))).toEqual([]);
  openChain({ datadir, overrides: {} }).store.close();
  rmSync(datadir, { recursive: true });
});

test('a block is built, validated and made the head while endless calls run, which end with the node', async () => {
  const endless = '0x00000000000000000000000000000000000e4d1e';
  const alloc = { [endless]: { balance: '0x0', code: '0x5b600056' } };
  let ends = 0;
  let calls: Promise<unknown>[] = [];
  {
    await using node = await launch(genesisText(schedule, alloc), { limits: { callTime: 600_000, gasCap: 2n ** 60n } });
    const call = async () => {
      await outcome(node.rpc, 'eth_call', [{ to: endless }, 'latest']);
      ends++;
    };
    calls = Array.from({ length: 8 }, call);
    const log = deposit({ to: LOGGER, data: topic(1) });
    const genesis = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    await new Driver(node.engine, schedule).build(genesis.hash, GENESIS_TIME + 2, [l1Info(1), log]);
    expect(await node.rpc.call('eth_getLogs', [{ fromBlock: '0x1', address: LOGGER }])).toHaveLength(1);
    expect(ends).toBe(0);
  }
  await Promise.all(calls);
});
