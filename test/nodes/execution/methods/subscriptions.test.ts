import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type WebSocketRpcClient, webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule, topic } from '../support/sample-chain.ts';

let node: TestNode;
let socket: WebSocketRpcClient;
let genesis: Hex;
let nonce = 0;

beforeAll(async () => {
  node = await launch(genesisText(schedule), { flavour: 'rust', limits: { subscriptions: 6, filters: 3 } });
  socket = webSocketClient({ url: node.wsUrl });
  genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
});
afterAll(async () => {
  socket.close();
  await node[Symbol.asyncDispose]();
});

async function send(): Promise<Hex> {
  const raw = await ACCOUNTS[0]!.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce: nonce++,
    gas: 30_000n,
    maxFeePerGas: 10n ** 10n,
    to: LOGGER,
    data: topic(1),
  });
  await node.rpc.call('eth_sendRawTransaction', [raw]);
  return keccak256(raw);
}

/** Collects the notifications of a subscription. */
async function listen(...params: unknown[]): Promise<{ readonly id: string; readonly notices: unknown[] }> {
  const notices: unknown[] = [];
  const id = await socket.subscribe(
    params,
    (item) => notices.push(item),
    () => {},
  );
  return { id, notices };
}

test('newPendingTransactions pushes hashes, or whole transactions', async () => {
  const hashes = await listen('newPendingTransactions');
  const bodies = await listen('newPendingTransactions', true);
  const hash = await send();
  await expect.poll(() => [hashes.notices.length, bodies.notices.length]).toEqual([1, 1]);
  expect(hashes.notices).toEqual([hash]);
  expect(bodies.notices[0]).toMatchObject({
    hash,
    to: LOGGER,
    blockHash: null,
    from: ACCOUNTS[0]!.address.toLowerCase(),
  });
  for (const { id } of [hashes, bodies]) expect(await socket.call('eth_unsubscribe', [id])).toBe(true);
  await expect(socket.call('eth_subscribe', ['newPendingTransactions', 'all'])).rejects.toMatchObject({ code: -32602 });
});

test('syncing pushes once that the node is in sync', async () => {
  const { id, notices } = await listen('syncing');
  await expect.poll(() => notices).toEqual([false]);
  await socket.call('eth_unsubscribe', [id]);
});

test('a connection has a maximum of subscriptions', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => socket.call<string>('eth_subscribe', ['newHeads'])));
  await expect(socket.call('eth_subscribe', ['newHeads'])).rejects.toMatchObject({ code: -32006 });
  for (const id of ids) await socket.call('eth_unsubscribe', [id]);
  expect(await socket.call('eth_unsubscribe', ['0x1'])).toBe(false);
});

describe('filters', () => {
  const changes = (id: string) => node.rpc.call<unknown[]>('eth_getFilterChanges', [id]);

  test('return blocks, transactions and logs since the last poll, also removed logs', async () => {
    const [blocks, logs, pending] = await Promise.all([
      node.rpc.call<string>('eth_newBlockFilter'),
      node.rpc.call<string>('eth_newFilter', [{ address: LOGGER }]),
      node.rpc.call<string>('eth_newPendingTransactionFilter', [true]),
    ]);
    await expect(node.rpc.call('eth_newBlockFilter')).rejects.toMatchObject({ code: -32005 });
    const driver = new Driver(node.engine, schedule);
    const forced = { fields: { noTxPool: true } };
    const first = await driver.build(
      genesis,
      GENESIS_TIME + 2,
      [l1Info(1), deposit({ to: LOGGER, data: topic(5) })],
      forced,
    );
    const hash = await send();
    expect(await changes(blocks)).toEqual([first.hash]);
    expect(await changes(blocks)).toEqual([]);
    expect(await changes(logs)).toMatchObject([{ topics: [topic(5)], removed: false, blockHash: first.hash }]);
    expect(await changes(pending)).toMatchObject([{ hash }]);
    const second = await driver.build(
      genesis,
      GENESIS_TIME + 4,
      [l1Info(2), deposit({ to: LOGGER, data: topic(6) })],
      forced,
    );
    expect(await changes(logs)).toMatchObject([
      { topics: [topic(5)], removed: true, blockHash: first.hash },
      { topics: [topic(6)], removed: false, blockHash: second.hash },
    ]);
    expect(await node.rpc.call('eth_getFilterLogs', [logs])).toHaveLength(1);
    await expect(node.rpc.call('eth_getFilterLogs', [blocks])).rejects.toMatchObject({ message: 'filter not found' });
    expect(await node.rpc.call('eth_uninstallFilter', [blocks])).toBe(true);
    expect(await node.rpc.call('eth_uninstallFilter', [blocks])).toBe(false);
    await node.rpc.call('eth_uninstallFilter', [logs]);
    await node.rpc.call('eth_uninstallFilter', [pending]);
  });

  test('and subscriptions of a block range report only that range, and are rejected for a past one', async () => {
    await using goNode = await launch(genesisText(schedule), { flavour: 'go' });
    const socket = webSocketClient({ url: goNode.wsUrl });
    const ranges = [
      { fromBlock: '0x2' },
      { fromBlock: '0x1', toBlock: '0x1' },
      { fromBlock: '0x0', toBlock: 'latest' },
    ];
    const notices = ranges.map((): Hex[] => []);
    const ids: string[] = [];
    for (const [at, range] of ranges.entries()) {
      ids.push(await goNode.rpc.call<string>('eth_newFilter', [range]));
      const note = (log: unknown) => void notices[at]!.push((log as { blockNumber: Hex }).blockNumber);
      await socket.subscribe(['logs', range], note, () => {});
    }
    const driver = new Driver(goNode.engine, schedule);
    let parent = (await goNode.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
    for (let number = 1; number <= 2; number++) {
      const logged = deposit({ to: LOGGER, data: topic(number) });
      parent = (await driver.build(parent, GENESIS_TIME + 2 * number, [l1Info(number), logged])).hash;
    }
    const expected = [['0x2'], ['0x1'], ['0x1', '0x2']];
    for (const [at, id] of ids.entries()) {
      const logs = await goNode.rpc.call<{ blockNumber: Hex }[]>('eth_getFilterChanges', [id]);
      expect(logs.map(({ blockNumber }) => blockNumber)).toEqual(expected[at]);
    }
    await expect.poll(() => notices).toEqual(expected);
    for (const range of [
      { fromBlock: '0x5', toBlock: '0x1' },
      { toBlock: '0x1' },
      { fromBlock: 'latest', toBlock: '0x1' },
    ]) {
      const refusal = { code: -32000, message: 'invalid block range params' };
      await expect(goNode.rpc.call('eth_newFilter', [range])).rejects.toMatchObject(refusal);
      await expect(socket.call('eth_subscribe', ['logs', range])).rejects.toMatchObject(refusal);
    }
    socket.close();
  });

  test('expire when they are not polled for their lifetime', async () => {
    // A lifetime of zero: the next use of the filters removes it.
    await using impatient = await launch(genesisText(schedule), { flavour: 'go', limits: { filterLifetime: -1 } });
    const id = await impatient.rpc.call<string>('eth_newBlockFilter');
    await expect(impatient.rpc.call('eth_getFilterChanges', [id])).rejects.toMatchObject({
      message: 'filter not found',
    });
    const filter = await node.rpc.call<string>('eth_newBlockFilter');
    expect(await changes(filter)).toEqual([]);
  });
});
