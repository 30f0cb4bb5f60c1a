import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, REVERTER, STORE, upTo } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('jovian');
const topic = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
let go: TestNode;
let rust: TestNode;
let blocks: Payload[];
const sent: Hex[] = [];

beforeAll(async () => {
  go = await launch(genesisText(schedule), { flavour: 'go' });
  rust = await launch(genesisText(schedule), { flavour: 'rust' });
  const [driver, follower] = [new Driver(go.engine, schedule), new Driver(rust.engine, schedule)];
  const genesis = await go.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  blocks = [];
  for (let number = 1; number <= 4; number++) {
    const transactions = [l1Info(number), deposit({ mint: 1n, value: 1n, to: LOGGER, data: topic(100 + number) })];
    for (const [nonce, to, data] of [
      [2 * number - 2, LOGGER, topic(number)],
      [2 * number - 1, STORE, `${topic(1)}${topic(number).slice(2)}`],
    ] as const) {
      const raw = await ACCOUNTS[0]!.signTransaction({
        chainId: CHAIN_ID,
        type: 'eip1559',
        nonce,
        gas: 100_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: BigInt(number),
        to,
        data: data as Hex,
      });
      sent.push(keccak256(raw));
      transactions.push(raw);
    }
    const payload = await driver.build(blocks.at(-1)?.hash ?? genesis.hash, GENESIS_TIME + 2 * number, transactions, {
      fields: { noTxPool: true },
    });
    await follower.import(payload);
    await follower.makeCanonical(payload.hash, undefined, blocks[0]?.hash ?? payload.hash);
    blocks.push(payload);
  }
});
afterAll(async () => {
  await go[Symbol.asyncDispose]();
  await rust[Symbol.asyncDispose]();
});

describe('flavours', () => {
  test('differ in eth_syncing, rpc_modules and the words of an unknown method', async () => {
    expect(await go.rpc.call('eth_syncing')).toBe(false);
    expect(await rust.rpc.call('eth_syncing')).toMatchObject({
      currentBlock: '0x4',
      highestBlock: '0x4',
      stages: expect.arrayContaining([{ name: 'Finish', block: '0x4' }]),
    });
    expect(await go.rpc.call('rpc_modules')).toMatchObject({ eth: '1.0', net: '1.0', rpc: '1.0' });
    await expect(rust.rpc.call('rpc_modules')).rejects.toMatchObject({ code: -32601, message: 'Method not found' });
    await expect(go.rpc.call('eth_nothing')).rejects.toMatchObject({
      code: -32601,
      message: 'the method eth_nothing does not exist/is not available',
    });
    expect(await go.rpc.call('web3_clientVersion')).toMatch(/^rollup-devnet\/execution-go\/v/);
    expect(await rust.rpc.call('web3_clientVersion')).toMatch(/^rollup-devnet\/execution-rust\/v/);
  });

  test('differ in the fields of transactions, logs and deposit receipts, and in nothing else of a block', async () => {
    const [ours, theirs] = await Promise.all(
      [go, rust].map(({ rpc }) => rpc.call<Record<string, unknown>>('eth_getBlockByNumber', ['0x2', true])),
    );
    const strip = (block: Record<string, unknown>) => ({ ...block, transactions: undefined });
    expect(strip(ours!)).toEqual(strip(theirs!));
    const [depositOfGo, depositOfRust] = [ours!, theirs!].map(
      ({ transactions }) => (transactions as Record<string, unknown>[])[1]!,
    );
    expect(depositOfGo).toMatchObject({
      type: '0x7e',
      nonce: '0x1',
      gasPrice: '0x0',
      mint: '0x1',
      depositReceiptVersion: '0x1',
      v: '0x0',
      r: '0x0',
      s: '0x0',
    });
    expect(depositOfRust).toEqual({ ...depositOfGo, yParity: '0x0', blockTimestamp: quantity(GENESIS_TIME + 4) });
    const hash = depositOfGo!['hash'];
    const [receiptOfGo, receiptOfRust] = await Promise.all(
      [go, rust].map(({ rpc }) => rpc.call<Record<string, unknown>>('eth_getTransactionReceipt', [hash])),
    );
    expect(Object.keys(receiptOfGo!).filter((field) => field.startsWith('l1'))).toEqual([]);
    expect(receiptOfRust).toMatchObject({ depositNonce: '0x1', l1Fee: '0x0', l1GasUsed: '0x640' });
    const [userOfGo, userOfRust] = await Promise.all(
      [go, rust].map(({ rpc }) => rpc.call<Record<string, unknown>>('eth_getTransactionReceipt', [sent[0]])),
    );
    const withoutLogs = (receipt: Record<string, unknown>) => ({ ...receipt, logs: undefined });
    expect(withoutLogs(userOfGo!)).toEqual(withoutLogs(userOfRust!));
    expect(userOfGo).toMatchObject({
      l1BaseFeeScalar: '0x146b',
      l1BlobBaseFee: '0x3',
      l1BlobBaseFeeScalar: '0xf79c5',
      operatorFeeScalar: '0x7d0',
      operatorFeeConstant: '0x7',
      daFootprintGasScalar: '0x190',
    });
    expect(userOfGo).not.toHaveProperty('l1FeeScalar');
  });
});

describe('state of every block', () => {
  test.each<[string, unknown, number]>([
    ['a number', '0x1', 1],
    ['latest', 'latest', 4],
    ['pending', 'pending', 4],
    ['safe', 'safe', 1],
    ['finalized', 'finalized', 1],
  ])('is read by %s', async (_, tag, expected) => {
    expect(await rust.rpc.call('eth_getStorageAt', [STORE, '0x1', tag])).toBe(topic(expected));
    expect(await rust.rpc.call('eth_getTransactionCount', [ACCOUNTS[0]!.address, tag])).toBe(quantity(2 * expected));
    expect(await rust.rpc.call('eth_getBalance', [LOGGER, tag])).toBe(quantity(expected));
  });

  test('is read by hash, as in EIP-1898, and refused for an unknown one', async () => {
    for (const tag of [blocks[1]!.hash, { blockHash: blocks[1]!.hash, requireCanonical: true }, { blockNumber: '0x2' }])
      expect(await go.rpc.call('eth_getStorageAt', [STORE, topic(1), tag])).toBe(topic(2));
    await expect(go.rpc.call('eth_getBalance', [STORE, '0x99'])).rejects.toMatchObject({
      code: -32000,
      message: 'header not found',
    });
    await expect(rust.rpc.call('eth_getBalance', [STORE, '0x99'])).rejects.toMatchObject({ code: -32001 });
    await expect(go.rpc.call('eth_getBlockByNumber', ['safe', false])).rejects.toMatchObject({
      code: -32000,
      message: 'safe block not found',
    });
    expect(await go.rpc.call('eth_getBlockByNumber', ['0x99', false])).toBeNull();
    await expect(go.rpc.call('eth_getBalance', ['0x12', 'latest'])).rejects.toMatchObject({ code: -32602 });
    await expect(go.rpc.call('eth_getBalance', [])).rejects.toMatchObject({
      code: -32602,
      message: 'missing value for required argument 0',
    });
  });

  test('runs calls, with the reason of a failure', async () => {
    const call = (fields: object, ...rest: unknown[]) =>
      go.rpc.call('eth_call', [fields, ...(rest.length > 0 ? rest : ['latest'])]);
    expect(await call({ to: '0x00000000000000000000000000000000000000ab' })).toBe('0x');
    await expect(call({ to: REVERTER, data: '0xabcd' })).rejects.toMatchObject({
      code: 3,
      message: 'execution reverted',
      data: '0xabcd',
    });
    await expect(call({ to: STORE, data: `${topic(5)}${topic(6).slice(2)}`, gas: '0x5800' })).rejects.toMatchObject({
      code: -32000,
      message: 'out of gas',
    });
    await expect(call({ to: STORE, gas: '0x100' })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^intrinsic gas too low/),
    });
    await expect(call({ from: STORE, to: LOGGER, value: '0x1' })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^insufficient funds/),
    });
    await expect(call({ to: STORE, data: '0x01', input: '0x02' })).rejects.toMatchObject({ code: -32602 });
    const block = '0x43600052426020524860405260606000f3';
    const output = await go.rpc.call<Hex>('eth_call', [{ to: STORE }, '0x2', { [STORE]: { code: block } }]);
    expect(
      output
        .slice(2)
        .match(/.{64}/g)!
        .map((text) => BigInt(`0x${text}`)),
    ).toEqual([2n, BigInt(GENESIS_TIME + 4), 0n]);
  });

  test('gives gas estimates that suffice and are hardly larger', async () => {
    expect(
      await go.rpc.call('eth_estimateGas', [{ from: ACCOUNTS[0]!.address, to: ACCOUNTS[1]!.address, value: '0x1' }]),
    ).toBe('0x5208');
    const call = { from: ACCOUNTS[0]!.address, to: STORE, data: `${topic(77)}${topic(6).slice(2)}` };
    const gas = BigInt(await go.rpc.call<Hex>('eth_estimateGas', [call]));
    await go.rpc.call('eth_call', [{ ...call, gas: quantity(gas) }, 'latest']);
    await expect(
      go.rpc.call('eth_call', [{ ...call, gas: quantity((gas * 97n) / 100n) }, 'latest']),
    ).rejects.toMatchObject({ message: 'out of gas' });
    // op-geth's value: the search stops within 1.5 % of the lowest limit.
    expect(await go.rpc.call('eth_estimateGas', [{ from: ACCOUNTS[0]!.address, to: LOGGER, data: '0x00' }])).toBe(
      '0x55c4',
    );
    await expect(go.rpc.call('eth_estimateGas', [{ to: REVERTER, data: '0x01' }])).rejects.toMatchObject({
      code: 3,
      data: '0x01',
    });
    await expect(go.rpc.call('eth_estimateGas', [{ ...call, gas: '0x5300' }])).rejects.toMatchObject({
      message: 'gas required exceeds allowance (21248)',
    });
  });
});

describe('logs', () => {
  const find = (filter: object) =>
    go.rpc.call<{ topics: Hex[]; blockNumber: Hex; logIndex: Hex }[]>('eth_getLogs', [filter]);

  test.each<[string, object, number[]]>([
    ['everything', { fromBlock: 'earliest' }, [101, 1, 102, 2, 103, 3, 104, 4]],
    ['an address', { fromBlock: '0x2', toBlock: '0x3', address: LOGGER }, [102, 2, 103, 3]],
    ['one of several topics', { fromBlock: '0x0', topics: [[topic(1), topic(103)]] }, [1, 103]],
    ['a topic and an address', { fromBlock: '0x0', address: [LOGGER, STORE], topics: [topic(2)] }, [2]],
    ['another address', { fromBlock: '0x0', address: STORE }, []],
    ['any first topic', { fromBlock: '0x4', topics: [null] }, [104, 4]],
    ['more topics than there are', { fromBlock: '0x0', topics: [null, null] }, []],
    ['only the newest block', {}, [104, 4]],
  ])('are found by %s', async (_, filter, expected) => {
    expect((await find(filter)).map(({ topics }) => Number(topics[0]))).toEqual(expected);
  });

  test('are found by block hash, and numbered over the block', async () => {
    expect((await find({ blockHash: blocks[2]!.hash })).map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1']);
    await expect(find({ blockHash: blocks[2]!.hash, fromBlock: '0x1' })).rejects.toMatchObject({ code: -32602 });
    await expect(find({ fromBlock: '0x3', toBlock: '0x2' })).rejects.toMatchObject({
      message: 'invalid block range params',
    });
  });
});

test('an execution client returns the consensus encodings of headers, blocks, receipts and transactions', async () => {
  const header = await go.rpc.call<Hex>('debug_getRawHeader', ['0x3']);
  expect(headerHash(decodeHeader(hexToBytes(header)))).toBe(blocks[2]!.hash);
  expect(await go.rpc.call<Hex>('debug_getRawBlock', ['0x3'])).toContain(header.slice(2));
  expect(await go.rpc.call<Hex[]>('debug_getRawReceipts', ['0x3'])).toHaveLength(4);
  expect(keccak256(await go.rpc.call<Hex>('debug_getRawTransaction', [sent[0]]))).toBe(sent[0]);
});

test('an execution client pushes heads and logs, also logs that a reorganisation removes', async () => {
  const notices: Record<string, unknown>[] = [];
  let onNotice: () => void = () => {};
  const socket = webSocketClient({ url: go.wsUrl });
  const listen = (...params: unknown[]) =>
    socket.subscribe(
      params,
      (item) => {
        notices.push(item as Record<string, unknown>);
        onNotice();
      },
      () => {},
    );
  const ids = [await listen('logs', { address: LOGGER }), await listen('newHeads')];
  const reaches = async (count: number) => {
    while (notices.length < count)
      await new Promise<void>((resolve) => {
        onNotice = resolve;
      });
  };
  const driver = new Driver(go.engine, schedule);
  await driver.build(blocks[3]!.hash, GENESIS_TIME + 20, [l1Info(5), deposit({ to: LOGGER, data: topic(9) })], {
    fields: { noTxPool: true },
  });
  await reaches(2);
  await driver.build(blocks[3]!.hash, GENESIS_TIME + 22, [l1Info(6)], { fields: { noTxPool: true } });
  await reaches(4);
  const kinds = notices.map((item) => ('removed' in item ? { removed: item['removed'] } : { number: item['number'] }));
  expect(kinds).toEqual(expect.arrayContaining([{ removed: false }, { removed: true }, { number: '0x5' }]));
  expect(await socket.call('eth_unsubscribe', [ids[0]])).toBe(true);
  await expect(socket.call('eth_unsubscribe', [ids[0]])).rejects.toMatchObject({ message: 'subscription not found' });
  await expect(socket.call('eth_subscribe', ['nothing'])).rejects.toMatchObject({ code: -32601 });
  await expect(go.rpc.call('eth_subscribe', ['newHeads'])).rejects.toMatchObject({
    message: 'notifications not supported',
  });
  socket.close();
  await driver.makeCanonical(blocks[3]!.hash);
});

test('an execution client returns the fees of past blocks and the next one', async () => {
  const history = await go.rpc.call<Record<string, Hex[] & Hex[][]>>('eth_feeHistory', ['0x2', 'latest', [0, 100]]);
  expect(history).toMatchObject({
    oldestBlock: '0x3',
    reward: [
      // Half of the gas belongs to a deposit, which pays no tip.
      ['0x0', '0x3'],
      ['0x0', '0x4'],
    ],
  });
  expect(history['baseFeePerGas']).toHaveLength(3);
  expect(history['gasUsedRatio']).toHaveLength(2);
  expect(await go.rpc.call('eth_maxPriorityFeePerGas')).toBe('0xf4240');
  expect(BigInt(await go.rpc.call<Hex>('eth_gasPrice'))).toBe(BigInt(history['baseFeePerGas']![1] as Hex) + 1_000_000n);
});

test('eth_baseFee is that of the next block in the fee history', async () => {
  const { baseFeePerGas } = await go.rpc.call<{ baseFeePerGas: Hex[] }>('eth_feeHistory', ['0x1', 'latest', []]);
  for (const { rpc } of [go, rust]) expect(await rpc.call('eth_baseFee')).toBe(baseFeePerGas[1]);
});

test('eth_getStorageValues reads slots of several accounts, and rejects none and too many', async () => {
  for (const { rpc } of [go, rust]) {
    const single = await rpc.call<Hex>('eth_getStorageAt', [STORE, topic(1), 'latest']);
    const query = { [STORE]: [topic(1), topic(0x77)], [LOGGER]: [topic(1)] };
    expect(await rpc.call('eth_getStorageValues', [query, 'latest'])).toEqual({
      [STORE]: [single, `0x${'00'.repeat(32)}`],
      [LOGGER]: [`0x${'00'.repeat(32)}`],
    });
  }
  const many = { [STORE]: Array.from({ length: 1025 }, () => topic(1)) };
  const ask = (client: TestNode, query: object) => client.rpc.call('eth_getStorageValues', [query, 'latest']);
  await expect(ask(go, many)).rejects.toMatchObject({ code: -38026, message: 'too many slots (max 1024)' });
  await expect(ask(rust, many)).rejects.toMatchObject({ code: -32602 });
  await expect(ask(go, { [STORE]: [] })).rejects.toMatchObject({ code: -32602, message: 'empty request' });
  expect(await ask(rust, { [STORE]: [] })).toEqual({ [STORE]: [] });
  await expect(ask(rust, {})).rejects.toMatchObject({ code: -32602, message: 'empty request' });
});

test('eth_capabilities returns the oldest block with a state', async () => {
  const head = await go.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const everything = { disabled: false, oldestBlock: '0x0' };
  for (const { rpc } of [go, rust])
    expect(await rpc.call('eth_capabilities')).toMatchObject({ head: { hash: head.hash }, state: everything });
  await using pruned = await launch(genesisText(upTo('canyon')), { flavour: 'go', pruned: true });
  expect(await pruned.rpc.call('eth_capabilities')).toMatchObject({
    state: { ...everything, deleteStrategy: { type: 'window', retentionBlocks: '0x80' } },
    blocks: everything,
  });
});

test('an execution client has no blob base fee before ecotone', async () => {
  await using node = await launch(genesisText(upTo('canyon')), { flavour: 'go' });
  expect(await node.rpc.call('eth_blobBaseFee')).toBeNull();
  expect(await node.rpc.call('eth_feeHistory', ['0x1', 'latest', []])).toMatchObject({
    baseFeePerBlobGas: ['0x0', '0x0'],
    blobGasUsedRatio: [0],
  });
  expect(await go.rpc.call('eth_blobBaseFee')).toBe('0x1');
});
