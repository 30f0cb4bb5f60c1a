import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, ZERO } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, upTo } from '../support/genesis.ts';
import { JWT, launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('jovian');
const UNKNOWN: Hex = `0x${'ab'.repeat(32)}`;
let node: TestNode;
let other: TestNode;
let driver: Driver;
let follower: Driver;
let genesis: Hex;

beforeAll(async () => {
  node = await launch(genesisText(schedule), { flavour: 'go' });
  other = await launch(genesisText(schedule), { flavour: 'rust' });
  driver = new Driver(node.engine, schedule);
  follower = new Driver(other.engine, schedule);
  genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
});

afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const attributesOf = (fields: Record<string, unknown> = {}) => driver.attributes(GENESIS_TIME + 2, [l1Info(1)], fields);

describe('errors', () => {
  test.each<[string, () => Promise<unknown>, number]>([
    ['an unknown payload id', () => node.engine.call('engine_getPayloadV4', ['0x0300000000000001']), -38001],
    ['attributes without gas limit', () => driver.makeCanonical(genesis, attributesOf({ gasLimit: null })), -38003],
    ['attributes without minBaseFee', () => driver.makeCanonical(genesis, attributesOf({ minBaseFee: null })), -38003],
    [
      'attributes without eip1559Params',
      () => driver.makeCanonical(genesis, attributesOf({ eip1559Params: null })),
      -38003,
    ],
    [
      'half-zero eip1559Params',
      () => driver.makeCanonical(genesis, attributesOf({ eip1559Params: '0x0000000000000006' })),
      -38003,
    ],
    [
      'attributes without beacon root',
      () => driver.makeCanonical(genesis, attributesOf({ parentBeaconBlockRoot: null })),
      -38003,
    ],
    [
      'a timestamp that is not after the parent',
      () => driver.makeCanonical(genesis, attributesOf({ timestamp: quantity(GENESIS_TIME) })),
      -38003,
    ],
    [
      'a forced transaction that cannot run',
      () => driver.makeCanonical(genesis, attributesOf({ transactions: [l1Info(1), '0x02c0'] })),
      -38003,
    ],
    ['malformed attributes', () => driver.makeCanonical(genesis, attributesOf({ prevRandao: '0x00' })), -32602],
    [
      'an older method than the fork',
      () =>
        node.engine.call('engine_forkchoiceUpdatedV2', [
          { headBlockHash: genesis, safeBlockHash: ZERO, finalizedBlockHash: ZERO },
          attributesOf(),
        ]),
      -38005,
    ],
    ['an unknown safe block', () => driver.makeCanonical(genesis, undefined, UNKNOWN), -38002],
    ['missing parameters', () => node.engine.call('engine_forkchoiceUpdatedV3', []), -32602],
    ['too many bodies', () => node.engine.call('engine_getPayloadBodiesByRangeV1', ['0x1', '0x401']), -38004],
    ['an unknown method', () => node.engine.call('engine_nothing', []), -32601],
  ])('answers %s with its error code', async (_, call, code) => {
    await expect(call()).rejects.toMatchObject({ code });
  });

  test('needs the token, and says which secret files to compare', async () => {
    for (const jwtSecret of [undefined, new Uint8Array(32).fill(8)]) {
      const url = `http://127.0.0.1:${node.node.ports.engine}`;
      const stranger = httpClient(jwtSecret === undefined ? { url } : { url, jwtSecret });
      await expect(stranger.call('engine_exchangeCapabilities', [[]])).rejects.toMatchObject({ status: 401 });
      stranger.close();
    }
  });

  test('serves the engine by WebSocket too, with the eth methods that a rollup node reads', async () => {
    const socket = webSocketClient({ url: `ws://127.0.0.1:${node.node.ports.engine}`, jwtSecret: JWT });
    expect(await socket.call('eth_chainId')).toBe(quantity(CHAIN_ID));
    expect(await socket.call<string[]>('engine_exchangeCapabilities', [[]])).toContain('engine_newPayloadV4');
    socket.close();
  });

  test('keeps the engine off the public port', async () => {
    await expect(node.rpc.call('engine_exchangeCapabilities', [[]])).rejects.toMatchObject({ code: -32601 });
  });
});

describe('payloads', () => {
  test('are SYNCING when their parent is missing, as is an unknown head', async () => {
    const one = await driver.build(genesis, GENESIS_TIME + 2, [l1Info(1)]);
    const two = await driver.build(one.hash, GENESIS_TIME + 4, [l1Info(2)]);
    expect(await follower.import(two)).toEqual({ status: 'SYNCING', latestValidHash: null, validationError: null });
    expect((await follower.makeCanonical(UNKNOWN)).payloadStatus.status).toBe('SYNCING');
    expect((await follower.import(one)).status).toBe('VALID');
    expect((await follower.import(two)).status).toBe('VALID');
    expect((await follower.import(two)).status).toBe('VALID');
    await driver.makeCanonical(genesis);
  });

  test.each<[string, Record<string, unknown>]>([
    ['stateRoot', { stateRoot: UNKNOWN }],
    ['receiptsRoot', { receiptsRoot: UNKNOWN }],
    ['gasUsed', { gasUsed: '0x5209' }],
    ['baseFeePerGas', { baseFeePerGas: '0x1' }],
    ['withdrawalsRoot', { withdrawalsRoot: UNKNOWN }],
    ['blobGasUsed', { blobGasUsed: '0x1' }],
    ['excessBlobGas', { excessBlobGas: '0x1' }],
    ['extraData', { extraData: '0x' }],
    ['number', { blockNumber: '0x9' }],
    ['transactions', { transactions: [l1Info(1), '0x02c0'] }],
  ])('are INVALID with a wrong %s, with the field and the last valid block', async (field, fields) => {
    const payload = await driver.build(genesis, GENESIS_TIME + 6, [l1Info(1)]);
    const status = await follower.import(forgePayload(schedule, payload, fields));
    expect(status).toMatchObject({ status: 'INVALID', latestValidHash: genesis });
    expect(status.validationError).toMatch(field === 'transactions' ? /apply tx 1/ : new RegExp(field));
    await driver.makeCanonical(genesis);
  });

  test('are INVALID with another hash than their own', async () => {
    const payload = await driver.build(genesis, GENESIS_TIME + 8, [l1Info(1)]);
    const executionPayload = { ...payload.envelope.executionPayload, gasUsed: '0x1' };
    const status = await follower.import({ ...payload, envelope: { ...payload.envelope, executionPayload } });
    expect(status).toMatchObject({ status: 'INVALID', latestValidHash: null });
    expect(status.validationError).toMatch(/blockhash mismatch/);
    await driver.makeCanonical(genesis);
  });

  test('have one id for the same attributes, and each getPayload returns the same block', async () => {
    const attributes = driver.attributes(GENESIS_TIME + 10, [l1Info(1)]);
    const first = await driver.makeCanonical(genesis, attributes);
    const second = await driver.makeCanonical(genesis, attributes);
    expect(second.payloadId).toBe(first.payloadId);
    const block = await driver.payload(first.payloadId!, GENESIS_TIME + 10);
    expect(await driver.payload(first.payloadId!, GENESIS_TIME + 10)).toEqual(block);
  });

  test('include transactions that arrive during the build, highest tip first', async () => {
    const send = async (account: number, tip: bigint) => {
      const { address, signTransaction } = ACCOUNTS[account]!;
      const nonce = Number(await node.rpc.call('eth_getTransactionCount', [address, 'pending']));
      return node.rpc.call<Hex>('eth_sendRawTransaction', [
        await signTransaction({
          chainId: CHAIN_ID,
          type: 'eip1559',
          nonce,
          gas: 21_000n,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: tip,
          to: LOGGER,
        }),
      ]);
    };
    const waiting = [await send(3, 5n), await send(4, 9n)];
    let late: Hex = '0x';
    const payload = await driver.build(genesis, GENESIS_TIME + 12, [l1Info(1)], {
      until: async () => {
        late = await send(0, 7n);
      },
    });
    const { transactions } = await node.rpc.call<{ transactions: Hex[] }>('eth_getBlockByHash', [payload.hash, false]);
    expect(transactions.slice(1)).toEqual([waiting[1], waiting[0], late]);
    const without = await driver.build(genesis, GENESIS_TIME + 14, [l1Info(1)], { fields: { noTxPool: true } });
    expect(without.envelope.executionPayload['transactions']).toHaveLength(1);
    await driver.makeCanonical(genesis);
  });

  test('have bodies by hash and by range', async () => {
    const one = await driver.build(genesis, GENESIS_TIME + 16, [l1Info(1), deposit({ mint: 1n })], {
      fields: { noTxPool: true },
    });
    const body = { transactions: one.envelope.executionPayload['transactions'], withdrawals: [] };
    expect(await node.engine.call('engine_getPayloadBodiesByHashV1', [[one.hash, UNKNOWN]])).toEqual([body, null]);
    expect(await node.engine.call('engine_getPayloadBodiesByRangeV1', ['0x1', '0x5'])).toEqual([body]);
    await driver.makeCanonical(genesis);
  });
});

describe('reorganisations', () => {
  test('move logs, receipts, labels and pooled transactions with the head, and back', async () => {
    const [account] = ACCOUNTS;
    const nonce = Number(await node.rpc.call('eth_getTransactionCount', [account!.address, 'pending']));
    const filter = await node.rpc.call<Hex>('eth_newFilter', [{ address: LOGGER }]);
    const raw = await account!.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: LOGGER,
      data: `0x${'77'.repeat(32)}`,
    });
    const hash = await node.rpc.call<Hex>('eth_sendRawTransaction', [raw]);
    const left = await driver.build(genesis, GENESIS_TIME + 20, [l1Info(1)]);
    expect(await node.rpc.call('eth_getTransactionReceipt', [hash])).toMatchObject({ blockHash: left.hash });
    await driver.makeCanonical(left.hash, undefined, left.hash);
    expect(await node.rpc.call('eth_getBlockByNumber', ['safe', false])).toMatchObject({ hash: left.hash });

    const right = await driver.build(genesis, GENESIS_TIME + 22, [l1Info(7)], { fields: { noTxPool: true } });
    expect(await node.rpc.call('eth_getTransactionReceipt', [hash])).toBeNull();
    expect(await node.rpc.call('eth_getTransactionByHash', [hash])).toMatchObject({ blockHash: null });
    expect(await node.rpc.call('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ hash: right.hash });
    expect(await node.rpc.call('eth_getLogs', [{ fromBlock: '0x0', address: LOGGER }])).toEqual([]);
    const changes = await node.rpc.call<{ removed: boolean; blockHash: Hex }[]>('eth_getFilterChanges', [filter]);
    expect(changes.map(({ removed, blockHash }) => ({ removed, blockHash }))).toEqual([
      { removed: false, blockHash: left.hash },
      { removed: true, blockHash: left.hash },
    ]);

    const again = await driver.build(right.hash, GENESIS_TIME + 24, [l1Info(2)]);
    expect(await node.rpc.call('eth_getTransactionReceipt', [hash])).toMatchObject({ blockHash: again.hash });
    await driver.makeCanonical(genesis);
    expect(await node.rpc.call('eth_blockNumber')).toBe('0x0');
    expect((await driver.makeCanonical(again.hash)).payloadStatus.status).toBe('VALID');
    expect(await node.rpc.call('eth_blockNumber')).toBe('0x2');
    await expect(driver.makeCanonical(again.hash, undefined, left.hash)).rejects.toMatchObject({ code: -38002 });
  });
});
