import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcError } from '../../../../src/rpc/error.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule, topic } from '../support/sample-chain.ts';

/** Limits that requests of the tests reach. Gas of a call, everything else by count. */
const LIMITS = {
  ...{ logRange: 2, logs: 4, logAddresses: 2, logTopics: 2, filters: 2, simulatedBlocks: 2, traceRange: 1 },
  gasCap: 100_000n,
};
/** Answer of a request: an error, the length of a list, or a value. null: the flavour lacks the method. */
type Answer =
  | { readonly code: number; readonly message: string | RegExp; readonly data?: Hex }
  | { readonly code: number; readonly text: RegExp }
  | { readonly length: number }
  | { readonly value: unknown }
  | null;

const UNKNOWN = topic(77);
const none = { code: -32601, message: /does not exist/ };
const invalid = (message: string | RegExp) => ({ code: -32602, message });
/** The rust flavour names the argument in the data of its error. */
const params = (text: RegExp): Answer => ({ code: -32602, text });

let go: TestNode;
let rust: TestNode;
let head: Payload;
beforeAll(async () => {
  const genesis = genesisText(schedule);
  go = await launch(genesis, { flavour: 'go', limits: LIMITS });
  rust = await launch(genesis, { flavour: 'rust', limits: LIMITS });
  const [builder, follower] = [go, rust].map(({ engine }) => new Driver(engine, schedule));
  let { hash } = await go.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  // Four blocks of three transactions and two logs.
  for (let number = 1; number <= 4; number++) {
    const logs = [topic(number), topic(50 + number)].map((data) => deposit({ to: LOGGER, data }));
    head = await builder!.build(hash, GENESIS_TIME + 2 * number, [l1Info(number), ...logs], {
      fields: { noTxPool: true },
    });
    await follower!.import(head);
    await follower!.makeCanonical(head.hash);
    hash = head.hash;
  }
});
afterAll(async () => {
  await go[Symbol.asyncDispose]();
  await rust[Symbol.asyncDispose]();
});

async function check({ rpc }: TestNode, method: string, args: readonly unknown[], expected: Answer): Promise<void> {
  const answer = rpc.call<unknown[]>(method, args);
  if (expected === null)
    await expect(answer).rejects.toMatchObject({ code: none.code, message: expect.stringMatching(none.message) });
  else if ('length' in expected) expect(await answer).toHaveLength(expected.length);
  else if ('value' in expected) expect(await answer).toEqual(expected.value);
  else if ('text' in expected) {
    const { code, message, data } = await answer.then(
      () => expect.unreachable(`${method} answered`),
      (error: RpcError) => error,
    );
    expect([code, `${message} ${String(data)}`]).toEqual([expected.code, expect.stringMatching(expected.text)]);
  } else {
    const { message, ...error } = expected;
    const text = typeof message === 'string' ? message : expect.stringMatching(message);
    await expect(answer).rejects.toMatchObject({ ...error, message: text });
  }
}

type Row = [string, string, readonly unknown[], Answer, Answer?];
/** Runs a row on both flavours. The second answer is that of the rust flavour, where it differs. */
const rows = (title: string, all: Row[]) =>
  test.each<Row>(all)(title, async (_, method, args, ofGo, ofRust = ofGo) => {
    await check(go, method, args, ofGo);
    await check(rust, method, args, ofRust);
  });

const logs = (filter: object): readonly unknown[] => [filter];
const list = <Item>(count: number, item: Item): Item[] => new Array<Item>(count).fill(item);
const simulated = (count: number, overrides: object = {}) => [
  { blockStateCalls: list(count, { calls: [{ to: STORE }], ...overrides }) },
  'latest',
];

describe('a limit', () => {
  rows('%s', [
    [
      'allows the longest range of blocks',
      'eth_getLogs',
      logs({ fromBlock: '0x1', toBlock: '0x3', topics: [topic(1)] }),
      { length: 1 },
    ],
    [
      'refuses a longer range of blocks',
      'eth_getLogs',
      logs({ fromBlock: '0x1', toBlock: '0x4', topics: [topic(1)] }),
      invalid('query exceeds max block range 2'),
    ],
    ['allows the most logs', 'eth_getLogs', logs({ fromBlock: '0x1', toBlock: '0x2' }), { length: 4 }],
    [
      'refuses more logs',
      'eth_getLogs',
      logs({ fromBlock: '0x1', toBlock: '0x3' }),
      invalid('query exceeds max results 4, retry with the range 1-2'),
    ],
    ['allows the most addresses', 'eth_getLogs', logs({ address: [LOGGER, STORE] }), { length: 2 }],
    [
      'refuses more addresses',
      'eth_getLogs',
      logs({ address: [LOGGER, STORE, REVERTER] }),
      invalid('exceed max addresses: 2'),
    ],
    ['allows the most topics of a position', 'eth_getLogs', logs({ topics: [[topic(4), topic(3)]] }), { length: 1 }],
    [
      'refuses more topics of a position',
      'eth_getLogs',
      logs({ topics: [[topic(4), topic(3), topic(2)]] }),
      invalid('exceed max topics: 2 in one position'),
    ],
    ['allows four positions of topics', 'eth_getLogs', logs({ topics: list(4, null) }), { length: 0 }, { length: 2 }],
    ['refuses five positions of topics', 'eth_getLogs', logs({ topics: list(5, null) }), params(/topics/)],
    ['refuses a proof of 1,025 slots', 'eth_getProof', [STORE, list(1025, '0x1'), 'latest'], params(/1024/)],
    [
      'allows 1,024 slots',
      'eth_getStorageValues',
      [{ [STORE]: list(1024, '0x1') }, 'latest'],
      { value: { [STORE]: list(1024, topic(0)) } },
    ],
    [
      'refuses 1,025 slots',
      'eth_getStorageValues',
      [{ [STORE]: list(1025, '0x1') }, 'latest'],
      { code: -38026, message: 'too many slots (max 1024)' },
      invalid('total slot count 1025 exceeds limit 1024'),
    ],
    ['refuses 101 percentiles', 'eth_feeHistory', ['0x1', 'latest', list(101, 1)], params(/100/)],
    ['refuses a percentile above 100', 'eth_feeHistory', ['0x1', 'latest', [100.5]], params(/100/)],
    ['refuses a percentile below 0', 'eth_feeHistory', ['0x1', 'latest', [-1]], params(/0/)],
    [
      'refuses percentiles that fall',
      'eth_feeHistory',
      ['0x1', 'latest', [5, 4]],
      { code: -32000, message: 'invalid reward percentile' },
      invalid('invalid reward percentiles'),
    ],
    ['allows the most simulated blocks', 'eth_simulateV1', simulated(2), { length: 2 }],
    ['refuses more simulated blocks', 'eth_simulateV1', simulated(3), { code: -38026, message: 'too many blocks' }],
    [
      'allows a gap up to the last simulated block',
      'eth_simulateV1',
      simulated(1, { blockOverrides: { number: '0x6' } }),
      { length: 2 },
    ],
    [
      'refuses a gap beyond the last simulated block',
      'eth_simulateV1',
      simulated(1, { blockOverrides: { number: '0x7' } }),
      { code: -38026, message: 'too many blocks' },
    ],
    ['allows the longest range of traces', 'trace_filter', [{ fromBlock: '0x3', toBlock: '0x4' }], null, { length: 6 }],
    [
      'refuses a longer range of traces',
      'trace_filter',
      [{ fromBlock: '0x2', toBlock: '0x4' }],
      null,
      invalid('Block range too large; currently limited to 1 blocks'),
    ],
    [
      'counts traces after it skips some',
      'trace_filter',
      [{ fromBlock: '0x4', toBlock: '0x4', after: 2, count: 5 }],
      null,
      { length: 1 },
    ],
    [
      'of no traces answers an empty list',
      'trace_filter',
      [{ fromBlock: '0x4', toBlock: '0x4', count: 0 }],
      null,
      { length: 0 },
    ],
    ['refuses a page of 101 transactions', 'ots_getBlockTransactions', ['0x1', 0, 101], null, params(/100/)],
    ['refuses a page of no transactions', 'ots_getBlockTransactions', ['0x1', 0, 0], null, params(/0/)],
    [
      'refuses 1,001 traced calls',
      'trace_callMany',
      [list(1001, [{ to: STORE }, ['trace']]), 'latest'],
      null,
      params(/1000/),
    ],
  ]);

  test('keeps the gas of a call at its cap', async () => {
    // The code returns the gas that is left.
    const gasLeft = async ({ rpc }: TestNode, gas?: Hex) =>
      BigInt(await rpc.call<Hex>('eth_call', [{ data: '0x5a60005260206000f3', ...(gas && { gas }) }, 'latest']));
    for (const node of [go, rust]) {
      const atCap = await gasLeft(node, '0x186a0');
      expect(await gasLeft(node, '0x186a1')).toBe(atCap);
      expect(await gasLeft(node)).toBe(atCap);
      expect(await gasLeft(node, '0x1869f')).toBe(atCap - 1n);
    }
  });

  test('counts filters, and frees the place of one that is removed', async () => {
    for (const { rpc } of [go, rust]) {
      const ids = [await rpc.call('eth_newBlockFilter'), await rpc.call('eth_newFilter', [{}])];
      const refused = { code: -32005, message: 'too many filters' };
      for (const [method, args] of [
        ['eth_newBlockFilter', []],
        ['eth_newFilter', [{}]],
        ['eth_newPendingTransactionFilter', []],
      ] as const)
        await expect(rpc.call(method, args)).rejects.toMatchObject(refused);
      expect(await rpc.call('eth_uninstallFilter', [ids[0]])).toBe(true);
      ids[0] = await rpc.call('eth_newPendingTransactionFilter');
      for (const id of ids) expect(await rpc.call('eth_uninstallFilter', [id])).toBe(true);
    }
  });

  test('counts bodies of blocks', async () => {
    const tooLarge = { code: -38004, message: 'Too large request' };
    for (const { engine } of [go, rust]) {
      expect(await engine.call('engine_getPayloadBodiesByRangeV1', ['0x1', '0x400'])).toHaveLength(4);
      await expect(engine.call('engine_getPayloadBodiesByRangeV1', ['0x1', '0x401'])).rejects.toMatchObject(tooLarge);
      expect(await engine.call('engine_getPayloadBodiesByHashV1', [list(1024, UNKNOWN)])).toEqual(list(1024, null));
      await expect(engine.call('engine_getPayloadBodiesByHashV1', [list(1025, UNKNOWN)])).rejects.toMatchObject(
        tooLarge,
      );
      for (const range of [
        ['0x0', '0x1'],
        ['0x1', '0x0'],
      ])
        await expect(engine.call('engine_getPayloadBodiesByRangeV1', range)).rejects.toMatchObject({ code: -32602 });
    }
  });
});

describe('an error', () => {
  const noHeader = { code: -32000, message: 'header not found' };
  const noHash = { code: -32000, message: 'header for hash not found' };
  const noBlock = (name: string) => ({ code: -32001, message: `block not found: ${name}` });
  const reason = `0x08c379a0${topic(32).slice(2)}${topic(2).slice(2)}${'6e6f'.padEnd(64, '0')}` as const;
  const panic = `0x4e487b71${topic(0x11).slice(2)}` as const;
  rows('names %s', [
    ['a block beyond the head', 'eth_getBalance', [STORE, '0x5'], noHeader, noBlock('0x5')],
    ['a hash that is unknown', 'eth_getBalance', [STORE, UNKNOWN], noHash, noBlock(`hash ${UNKNOWN}`)],
    [
      'a canonical hash that is unknown',
      'eth_call',
      [{ to: STORE }, { blockHash: UNKNOWN, requireCanonical: true }],
      noHash,
      noBlock(`canonical hash ${UNKNOWN}`),
    ],
    [
      'a label that is not set',
      'eth_getBalance',
      [STORE, 'safe'],
      { code: -32000, message: 'safe block not found' },
      noBlock('safe'),
    ],
    [
      'an unset label of a block',
      'eth_getBlockByNumber',
      ['finalized', false],
      { code: -32000, message: 'finalized block not found' },
      { value: null },
    ],
    [
      'a filter of a hash and a range',
      'eth_getLogs',
      logs({ blockHash: UNKNOWN, fromBlock: '0x1' }),
      invalid('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other'),
    ],
    ['a filter of an unknown hash', 'eth_getLogs', logs({ blockHash: UNKNOWN }), noHash, noBlock(`hash ${UNKNOWN}`)],
    [
      'a range that ends before it begins',
      'eth_getLogs',
      logs({ fromBlock: '0x3', toBlock: '0x2' }),
      invalid('invalid block range params'),
    ],
    [
      'a range that ends beyond the head',
      'eth_getLogs',
      logs({ fromBlock: '0x4', toBlock: '0x5' }),
      { length: 2 },
      invalid('block range extends beyond current head block'),
    ],
    [
      'an unknown filter',
      'eth_getFilterChanges',
      ['0x1'],
      { code: -32000, message: 'filter not found' },
      invalid('filter not found'),
    ],
    [
      'a fee history beyond the head',
      'eth_feeHistory',
      ['0x1', '0x5', []],
      { code: -32000, message: 'request beyond head block: requested 5, head 4' },
      invalid('request beyond head block: requested 5, head 4'),
    ],
    [
      'a transaction that is unknown',
      'debug_traceTransaction',
      [UNKNOWN],
      { code: -32000, message: 'transaction not found' },
      { code: -32001, message: 'transaction not found' },
    ],
    [
      'the genesis, which has no trace',
      'debug_traceBlockByNumber',
      ['0x0'],
      { code: -32000, message: 'genesis is not traceable' },
    ],
    [
      'a range of traces that falls',
      'trace_filter',
      [{ fromBlock: '0x4', toBlock: '0x3' }],
      null,
      invalid('invalid parameters: fromBlock cannot be greater than toBlock'),
    ],
    [
      'the reason of a revert',
      'eth_call',
      [{ to: REVERTER, data: reason }],
      { code: 3, message: 'execution reverted: no', data: reason },
    ],
    [
      'a panic',
      'eth_call',
      [{ to: REVERTER, data: panic }],
      { code: 3, message: 'execution reverted: arithmetic underflow or overflow', data: panic },
      { code: 3, message: 'execution reverted: panic: arithmetic underflow or overflow (0x11)', data: panic },
    ],
    [
      'a revert without data',
      'eth_estimateGas',
      [{ to: REVERTER }],
      { code: 3, message: 'execution reverted', data: '0x' },
    ],
    [
      'gas that does not pay for the call',
      'eth_call',
      [{ to: STORE, gas: '0x0' }],
      { code: -32000, message: 'intrinsic gas too low: have 0, want 21000' },
      { code: -32000, message: 'intrinsic gas too low' },
    ],
  ]);

  test('names the index of a transaction that the block of a traced call lacks', async () => {
    const ask = ({ rpc }: TestNode, txIndex: Hex) =>
      rpc.call('debug_traceCall', [{ to: STORE }, 'latest', { txIndex }]);
    for (const [index, number] of [
      ['0x3', 3],
      ['0x40', 64],
    ] as const) {
      await expect(ask(go, index)).rejects.toMatchObject({
        ...{ code: -32000, message: `transaction index ${number} out of range for block ${head.hash}` },
      });
      await expect(ask(rust, index)).rejects.toMatchObject({
        ...{ code: -32602, message: `tx_index ${number} out of bounds for block with 3 transactions` },
      });
    }
    for (const node of [go, rust]) expect(await ask(node, '0x2')).toMatchObject({ failed: false });
  });
});

describe('an optional field', () => {
  rows('of %s', [
    ['a filter means the newest block when all are absent', 'eth_getLogs', logs({}), { length: 2 }],
    [
      'a filter is absent when it is null',
      'eth_getLogs',
      logs({ address: null, topics: null, fromBlock: null, toBlock: null, blockHash: null }),
      { length: 2 },
    ],
    ['a filter matches all when it is an empty list', 'eth_getLogs', logs({ address: [], topics: [] }), { length: 2 }],
    ['a filter matches any topic when the position is empty', 'eth_getLogs', logs({ topics: [[]] }), { length: 2 }],
    [
      'a filter matches any topic when one of them is null',
      'eth_getLogs',
      logs({ topics: [[null, topic(1)]] }),
      { length: 2 },
    ],
    [
      'a filter is the genesis when it is zero',
      'eth_getLogs',
      logs({ fromBlock: '0x0', toBlock: '0x0' }),
      { length: 0 },
    ],
    [
      'a call is absent when it is null',
      'eth_call',
      [
        {
          to: STORE,
          gas: null,
          gasPrice: null,
          value: null,
          data: null,
          input: null,
          from: null,
          nonce: null,
          accessList: null,
          maxFeePerGas: null,
          maxPriorityFeePerGas: null,
        },
        null,
        null,
        null,
      ],
      { value: '0x' },
    ],
    [
      'a call may be zero',
      'eth_call',
      [{ to: STORE, value: '0x0', gasPrice: '0x0', nonce: '0x0', accessList: [] }],
      { value: '0x' },
    ],
    [
      'a call creates when the recipient is null',
      'eth_call',
      [{ to: null, data: '0x602a60005260206000f3' }],
      { value: topic(42) },
    ],
    [
      'a call creates when the recipient is absent',
      'eth_call',
      [{ data: '0x602a60005260206000f3' }],
      { value: topic(42) },
    ],
    [
      'an estimate is the cap when the gas is zero',
      'eth_estimateGas',
      [{ to: STORE, gas: '0x0' }],
      { value: '0x5bfd' },
    ],
    ['a proof without slots has none', 'eth_getStorageAt', [STORE, '0x', 'latest'], { value: topic(0) }],
  ]);

  test('of a receipt is zero and not absent when it is zero', async () => {
    for (const { rpc } of [go, rust]) {
      const receipts = await rpc.call<Record<string, unknown>[]>('eth_getBlockReceipts', ['0x1']);
      // The first deposits of two senders.
      for (const at of [0, 1])
        expect(receipts[at]).toMatchObject({
          ...{ depositNonce: '0x0', depositReceiptVersion: '0x1', effectiveGasPrice: '0x0', contractAddress: null },
          transactionIndex: `0x${at}`,
        });
      expect(receipts[2]).toMatchObject({ depositNonce: '0x1' });
    }
  });

  test('of a fee history is left out when there are no percentiles', async () => {
    for (const { rpc } of [go, rust]) {
      const keys = async (...rest: unknown[]) =>
        Object.keys(await rpc.call<object>('eth_feeHistory', ['0x1', 'latest', ...rest]));
      for (const absent of [[], [null], [[]]]) expect(await keys(...absent)).not.toContain('reward');
      expect(await keys([0])).toContain('reward');
      // More blocks than there are, and more than one request may have.
      for (const count of ['0x5', '0x6', '0x401'])
        expect(await rpc.call('eth_feeHistory', [count, 'latest', [0]])).toMatchObject({
          oldestBlock: '0x0',
          reward: list(5, ['0x0']),
        });
    }
  });
});
