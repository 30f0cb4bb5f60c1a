import { afterEach, describe, expect, it } from 'vitest';
import { executionDifferences } from '../../../../src/orchestrator/divergence/explain/execution-differences.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type AnsweringNode, answeringNode } from '../../dashboard/rpc-answers.ts';
import { blockHeader, rawOf, word } from './blocks.ts';

const SENT = ['0x7e01', '0x02c1'] as const;
const EMPTY_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const ACCOUNT = { balance: '0x1', nonce: '0x2', codeHash: word('c'), storageHash: word('d') };
const ABSENT = { balance: '0x0', nonce: '0x0', codeHash: EMPTY_CODE, storageHash: EMPTY_ROOT };

/** What a client serves of its block; an absent part is an unknown method. */
interface Served {
  readonly transactions?: readonly Hex[];
  readonly receipts?: unknown;
  readonly steps?: readonly unknown[];
  readonly traces?: unknown;
  readonly posts?: readonly unknown[];
  /** By address. */
  readonly accounts?: Readonly<Record<string, unknown>>;
}

let open: AnsweringNode[] = [];
afterEach(() => {
  for (const node of open) node.close();
  open = [];
});

const requests: [string, readonly unknown[]][] = [];

/** Starts a client whose block has this hash. */
async function side(hash: Hex, served: Served, roots: object) {
  const node = await answeringNode((method, params) => {
    requests.push([method, params]);
    const [first, second] = params as [string, { readonly tracer?: string }];
    const blocks: Readonly<Record<string, unknown>> = {
      debug_getRawBlock: served.transactions && rawOf(blockHeader(), served.transactions),
      eth_getBlockReceipts: served.receipts,
      debug_traceBlockByHash:
        second?.tracer === undefined
          ? (served.traces ?? served.steps?.map((structLogs) => ({ result: { structLogs } })))
          : served.posts?.map((post) => ({ result: { pre: {}, post } })),
    };
    const answer = method === 'eth_getProof' ? served.accounts?.[first.toLowerCase()] : blocks[method];
    if (answer === undefined) throw new Error(`the method ${method} does not exist`);
    return answer;
  });
  open.push(node);
  return { url: node.url, header: { hash, ...roots } };
}

/** Compares two blocks. `roots`: header fields that both have. */
async function compared(minority: Served, majority: Served, roots: object = {}) {
  requests.length = 0;
  return executionDifferences(await side(word('a'), minority, roots), await side(word('b'), majority, roots));
}

const receipt = (more: object = {}) => ({
  ...{ transactionHash: word('1'), type: '0x2', status: '0x1', gasUsed: '0x1', cumulativeGasUsed: '0x1' },
  ...{ contractAddress: null, logs: [{ address: '0x01', topics: ['0x02'], data: '0x' }] },
  ...more,
});
const step = (more: object = {}) => ({ pc: 1, op: 'ADD', gas: 9, gasCost: 3, depth: 1, stack: ['0x1'], ...more });
const unknown = (because: unknown) => ({ kind: 'unknown', because });
const noMethod = (method: string) => unknown(expect.stringContaining(`the method ${method} does not exist`));
const RECEIPTS = 'eth_getBlockReceipts of both sides';

describe('the differences of two executed blocks', () => {
  it('are not looked for below a root that both headers have', async () => {
    const roots = { transactionsRoot: word('1'), receiptsRoot: word('2'), stateRoot: word('3') };
    expect(await compared({}, {}, roots)).toEqual({
      transaction: { kind: 'same', known: 'transactionsRoot of both headers' },
      receipt: { kind: 'same', known: 'receiptsRoot of both headers' },
      step: unknown('no receipt is known to differ'),
      state: { kind: 'same', known: 'stateRoot of both headers' },
    });
    expect(requests).toEqual([]);
  });

  it('are looked for below a root that the headers do not share', async () => {
    const ours = await side(word('a'), { transactions: SENT }, { transactionsRoot: word('1') });
    const other = await side(word('b'), { transactions: ['0x7e01'] }, { transactionsRoot: word('2') });
    expect((await executionDifferences(ours, other)).transaction).toMatchObject({ kind: 'differs', index: 1 });
  });

  it('are unknown when a side does not serve what they take', async () => {
    expect(await compared({}, {})).toEqual({
      transaction: noMethod('debug_getRawBlock'),
      receipt: noMethod('eth_getBlockReceipts'),
      step: unknown('no receipt is known to differ'),
      state: noMethod('eth_getProof'),
    });
    expect((await compared({ receipts: 'none' }, { receipts: [] })).receipt).toEqual(
      unknown('eth_getBlockReceipts is not a list'),
    );
  });

  it('are asked for by the hashes of the blocks', async () => {
    const posts = [{}];
    await compared({ transactions: SENT, receipts: [], posts }, { transactions: SENT, receipts: [], posts });
    const config = { disableStorage: true, tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    for (const hash of [word('a'), word('b')])
      for (const request of [
        ['debug_getRawBlock', [hash]],
        ['eth_getBlockReceipts', [hash]],
        ['debug_traceBlockByHash', [hash, config]],
        ['eth_getProof', ['0x4200000000000000000000000000000000000016', [], { blockHash: hash }]],
      ])
        expect(requests).toContainEqual(request);
  });

  it.each<[string, readonly Hex[], readonly Hex[], object]>([
    ['another transaction', ['0x7e01', '0x02c2'], SENT, { index: 1, difference: { minority: '0x02c2' } }],
    ['one more', [...SENT, '0x02c3'], SENT, { index: 2, difference: { minority: '0x02c3', majority: undefined } }],
    ['one less', ['0x7e01'], SENT, { index: 1, difference: { minority: undefined, majority: '0x02c1' } }],
  ])('are those of the first transaction: %s', async (_, transactions, other, expected) => {
    const { transaction } = await compared({ transactions }, { transactions: other });
    expect(transaction).toMatchObject({ kind: 'differs', known: 'debug_getRawBlock of both sides', ...expected });
  });

  it('are none of transactions that are equal', async () => {
    const { transaction } = await compared({ transactions: SENT }, { transactions: SENT });
    expect(transaction).toEqual({ kind: 'same', known: 'debug_getRawBlock of both sides' });
  });

  it.each<[string, object]>([
    ['transactionHash', { transactionHash: word('2') }],
    ['type', { type: '0x3' }],
    ['status', { status: '0x0' }],
    ['gasUsed', { gasUsed: '0x2' }],
    ['cumulativeGasUsed', { cumulativeGasUsed: '0x2' }],
    ['contractAddress', { contractAddress: '0x03' }],
    ['logs[0].address', { logs: [{ address: '0x02', topics: ['0x02'], data: '0x' }] }],
    ['logs[0].topics[0]', { logs: [{ address: '0x01', topics: ['0x03'], data: '0x' }] }],
    ['logs[0].data', { logs: [{ address: '0x01', topics: ['0x02'], data: '0x00' }] }],
  ])('are those of the first receipt: %s', async (path, more) => {
    const result = await compared({ receipts: [receipt(), receipt(more)] }, { receipts: [receipt(), receipt()] });
    expect(result.receipt).toMatchObject({ kind: 'differs', index: 1, difference: { path }, known: RECEIPTS });
  });

  it('are none of fields that only some clients return', async () => {
    const log = { address: '0x01', topics: ['0x02'], data: '0x', blockTimestamp: '0x5', blockHash: word('a') };
    const ours = receipt({ l1Fee: '0x1', blockHash: word('a'), logs: [log] });
    expect((await compared({ receipts: [ours] }, { receipts: [receipt()] })).receipt).toEqual({
      ...{ kind: 'same', known: RECEIPTS },
    });
    const without = receipt({ logs: null });
    expect((await compared({ receipts: [without] }, { receipts: [receipt()] })).receipt).toMatchObject({
      difference: { path: 'logs' },
    });
  });

  describe('in a trace', () => {
    const receipts = [receipt(), receipt({ gasUsed: '0x2' })];
    const others = [receipt(), receipt()];
    const steps = (more: object = {}) => [[], [step(), step(more)]];

    it.each<[string, object]>([
      ['pc', { pc: 2 }],
      ['op', { op: 'SUB' }],
      ['gas', { gas: 8 }],
      ['gasCost', { gasCost: 4 }],
      ['depth', { depth: 2 }],
      ['stack[0]', { stack: ['0x2'] }],
    ])('are those of the first step of the transaction whose receipt differs: %s', async (path, more) => {
      const ours = { transactions: SENT, receipts, steps: steps(more) };
      expect((await compared(ours, { transactions: SENT, receipts: others, steps: steps() })).step).toEqual({
        ...{ kind: 'differs', index: 1, step: 1, known: 'debug_traceBlockByHash of both sides' },
        difference: { path, minority: expect.anything(), majority: expect.anything() },
      });
      expect(requests).toContainEqual(['debug_traceBlockByHash', [word('a'), { disableStorage: true }]]);
    });

    it('are none of fields of a step that only some clients return', async () => {
      const ours = { transactions: SENT, receipts, steps: steps({ memory: [], refund: 1 }) };
      expect((await compared(ours, { transactions: SENT, receipts: others, steps: steps() })).step).toEqual({
        ...{ kind: 'same', known: 'debug_traceBlockByHash of both sides' },
      });
    });

    it('are unknown when the trace is no list', async () => {
      const ours = { transactions: SENT, receipts, traces: [{}, { result: { structLogs: 5 } }] };
      const other = { transactions: SENT, receipts: others, steps: steps() };
      expect((await compared(ours, other)).step).toEqual(unknown('the trace is not a list'));
    });

    it.each<[string, readonly Hex[], boolean]>([
      ['a transaction after it differs', [...SENT, '0x02c3'], true],
      ['it is another transaction', ['0x7e01', '0x02c2'], false],
      ['a transaction before it differs', ['0x7e02', '0x02c1'], false],
    ])('are compared when the sides have the transaction in common: %s', async (_, transactions, isCompared) => {
      const ours = { transactions, receipts, steps: steps({ gas: 1 }) };
      const result = await compared(ours, { transactions: SENT, receipts: others, steps: steps() });
      const none = unknown('the sides do not have that transaction in common');
      expect(result.step).toMatchObject(isCompared ? { kind: 'differs', index: 1 } : none);
    });

    it('are unknown when the transactions are', async () => {
      const result = await compared({ receipts, steps: steps({ gas: 1 }) }, { receipts: others, steps: steps() });
      expect(result.step).toEqual(unknown('the sides do not have that transaction in common'));
    });
  });

  describe('in the state', () => {
    const SYSTEM = [
      ...['0x4200000000000000000000000000000000000016', '0x4200000000000000000000000000000000000015'],
      ...['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', '0x0000f90827f1c53a10cb7a02335b175320002935'],
      '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2',
    ];
    const accounts = (address?: string, account?: object) => ({
      ...Object.fromEntries(SYSTEM.map((each) => [each, ACCOUNT])),
      ...(address === undefined ? {} : { [address]: account }),
    });
    const stateOf = async (minority: Served, majority: Served) => (await compared(minority, majority)).state;

    it('are those of the first transaction that leaves another account', async () => {
      const post = { [word('1')]: { balance: '0x5' } };
      expect(await stateOf({ posts: [{}, post] }, { posts: [{}, { [word('1')]: { balance: '0x6' } }] })).toEqual({
        ...{ kind: 'differs', index: 1, known: 'prestateTracer of both sides' },
        difference: { path: `${word('1')}.balance`, minority: '0x5', majority: '0x6' },
      });
    });

    it('are looked for in the transactions that both sides have', async () => {
      const state = await stateOf(
        { posts: [{}], accounts: accounts() },
        { posts: [{}, { a: 1 }], accounts: accounts() },
      );
      expect(state).toEqual(unknown('neither the traces nor the system contracts show the account'));
      const other = await stateOf(
        { posts: [{}, { a: 1 }], accounts: accounts() },
        { posts: [{}], accounts: accounts() },
      );
      expect(other).toEqual(state);
    });

    it.each(SYSTEM)('are those of the account %s, which changes without a transaction', async (address) => {
      const ours = { accounts: accounts(address, { ...ACCOUNT, storageHash: word('e') }) };
      const state = await stateOf(ours, { posts: [{}], accounts: accounts() });
      expect(state).toMatchObject({ kind: 'differs', known: 'eth_getProof of both sides' });
      expect(state).not.toHaveProperty('index');
      const { path } = (state as unknown as { difference: { path: string } }).difference;
      expect(path.toLowerCase()).toBe(`${address}.storagehash`);
    });

    it.each<[string, object]>([
      ['balance', { balance: '0x2' }],
      ['nonce', { nonce: '0x3' }],
      ['codeHash', { codeHash: word('e') }],
    ])('are those of the %s of a system account', async (field, more) => {
      const ours = { accounts: accounts(SYSTEM[0], { ...ACCOUNT, ...more }) };
      expect(await stateOf(ours, { accounts: accounts() })).toMatchObject({
        difference: { path: `${SYSTEM[0]}.${field}` },
      });
    });

    it.each<[string, object, object, boolean]>([
      ['zeros for the hashes', ABSENT, { ...ABSENT, codeHash: word('0'), storageHash: '0x' }, true],
      ['the root of an empty trie for the code', ABSENT, { ...ABSENT, codeHash: EMPTY_ROOT }, true],
      ['a hash that ends with zeros', ABSENT, { ...ABSENT, storageHash: `0x1${'0'.repeat(63)}` }, false],
      ['a storage', ABSENT, { ...ABSENT, storageHash: word('e') }, false],
      ['another storage', { ...ABSENT, storageHash: word('d') }, { ...ABSENT, storageHash: word('e') }, false],
      ['a code', ABSENT, { ...ABSENT, codeHash: word('e') }, false],
      ['a nonce', ABSENT, { ...ABSENT, nonce: '0x1' }, false],
      ['a balance', ABSENT, { ...ABSENT, balance: '0x1' }, false],
      ['a nonce and zeros', { ...ABSENT, nonce: '0x1' }, { ...ABSENT, nonce: '0x1', codeHash: '0x' }, false],
      ['a balance and zeros', { ...ABSENT, balance: '0x1' }, { ...ABSENT, balance: '0x1', codeHash: '0x' }, false],
      ['the account proof', ABSENT, { ...ABSENT, accountProof: ['0x1'] }, true],
    ])('are none of an empty account with another form: %s', async (_, ours, other, isEqual) => {
      const state = await stateOf({ accounts: accounts(SYSTEM[1], ours) }, { accounts: accounts(SYSTEM[1], other) });
      expect(state.kind).toBe(isEqual ? 'unknown' : 'differs');
    });
  });
});
