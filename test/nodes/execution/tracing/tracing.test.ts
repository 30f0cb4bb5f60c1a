import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import {
  BEACON_ROOTS_ADDRESS,
  FEE_RECIPIENTS,
  HISTORY_STORAGE_ADDRESS,
  L1_ATTRIBUTES_DEPOSITOR,
  PREDEPLOYS,
} from '../../../../src/protocol/execution/predeploys.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { deposit } from '../support/driver.ts';
import { CHAIN_ID, genesisText, LOGGER, REVERTER, STORE } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';
import { type SampleChain, sampleChain, schedule, topic } from '../support/sample-chain.ts';

let chain: SampleChain;
beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());

const trace = (name: string, options: object) =>
  chain.go.rpc.call<Record<string, unknown>>('debug_traceTransaction', [chain.sent[name], options]);

test('callTracer shows a transaction’s frame with the gas of its receipt', async () => {
  const receipt = await chain.go.rpc.call<Record<string, unknown>>('eth_getTransactionReceipt', [chain.sent['legacy']]);
  expect(await trace('legacy', { tracer: 'callTracer', tracerConfig: { withLog: true } })).toEqual({
    type: 'CALL',
    from: ACCOUNTS[0]!.address.toLowerCase(),
    to: LOGGER,
    input: topic(1),
    value: '0x0',
    gas: '0x30d40',
    gasUsed: receipt['gasUsed'],
    logs: [{ address: LOGGER, topics: [topic(1)], data: topic(1), position: '0x0' }],
  });
  expect(await trace('failing', { tracer: 'callTracer' })).toMatchObject({
    error: 'execution reverted',
    output: '0xabcd',
  });
});

test('the struct logger shows each instruction with the parts that the options enable', async () => {
  const plain = await trace('listed', {});
  const logs = plain['structLogs'] as Record<string, unknown>[];
  expect(logs.map(({ op }) => op)).toEqual(['PUSH1', 'CALLDATALOAD', 'PUSH1', 'CALLDATALOAD', 'SSTORE', 'STOP']);
  expect(logs[4]).toMatchObject({
    pc: 6,
    depth: 1,
    stack: ['0x9', '0x1'],
    storage: { [topic(1)]: topic(9) },
  });
  const bare = await trace('listed', { disableStack: true, disableStorage: true, limit: 5 });
  expect(bare['structLogs']).toHaveLength(5);
  for (const entry of bare['structLogs'] as object[]) expect(Object.keys(entry)).not.toContain('stack');
  expect(plain['gas']).toBe(
    Number((await chain.go.rpc.call<{ gasUsed: string }>('eth_getTransactionReceipt', [chain.sent['listed']])).gasUsed),
  );
});

describe('trace_*', () => {
  const rust = <Result>(method: string, ...params: unknown[]) => chain.rust.rpc.call<Result>(method, params);
  type Flat = {
    type: string;
    action: Record<string, string>;
    result: Record<string, string> | null;
    error?: string;
    transactionHash: string;
  };

  test('lists the calls of a block in order, deposits too, and finds them by address', async () => {
    const [number, hash] = ['0x2', chain.sent['legacy']];
    const all = await rust<Flat[]>('trace_block', number);
    const block = await rust<{ transactions: string[] }>('eth_getBlockByNumber', number, false);
    expect([...new Set(all.map(({ transactionHash }) => transactionHash))]).toEqual(block.transactions);
    const traces = await rust<Flat[]>('trace_transaction', hash);
    expect(traces).toEqual(all.filter(({ transactionHash }) => transactionHash === hash));
    expect(traces).toMatchObject([
      {
        type: 'call',
        action: { to: LOGGER, callType: 'call', input: topic(1) },
        subtraces: 0,
        traceAddress: [],
        blockNumber: 2,
        transactionPosition: 1,
      },
    ]);
    expect(await rust('trace_get', hash, ['0x0'])).toEqual(traces[0]);
    expect(await rust('trace_get', hash, ['0x1'])).toBeNull();
    const filtered = await rust<Flat[]>('trace_filter', { fromBlock: '0x1', toAddress: [LOGGER] });
    expect(filtered.map(({ action }) => action['to'])).toEqual([LOGGER, LOGGER]);
    expect(await rust('trace_filter', { fromBlock: '0x1', toAddress: [LOGGER], after: 1, count: 1 })).toEqual([
      filtered[1],
    ]);
    await expect(rust('trace_filter', { fromBlock: '0x3', toBlock: '0x2' })).rejects.toMatchObject({ code: -32602 });
    expect(await rust('trace_block', 'earliest')).toEqual([]);
  });

  test('replays a transaction with its state changes', async () => {
    const sender = ACCOUNTS[0]!.address.toLowerCase();
    type Replay = {
      stateDiff: Record<string, Record<string, Record<string, { from: string; to: string }>>>;
      trace: Flat[];
    };
    const { stateDiff, trace } = await rust<Replay>('trace_replayTransaction', chain.sent['listed'], [
      'trace',
      'stateDiff',
    ]);
    expect(trace).toHaveLength(1);
    expect(stateDiff[STORE]).toEqual({
      balance: '=',
      nonce: '=',
      code: '=',
      storage: { [topic(1)]: { '*': { from: topic(0), to: topic(9) } } },
    });
    expect(stateDiff[sender]!['nonce']).toEqual({ '*': { from: '0x1', to: '0x2' } });
    const created = await rust<Replay>('trace_replayTransaction', chain.sent['creating'], ['trace', 'stateDiff']);
    const address = created.trace[0]!.result!['address']!;
    expect(created.stateDiff[address]).toMatchObject({ nonce: { '+': '0x1' }, code: { '+': '0xfe' } });
    const failing = await rust<Replay>('trace_replayTransaction', chain.sent['failing'], ['trace']);
    expect(failing.trace).toMatchObject([{ error: 'Reverted', result: { output: '0xabcd' } }]);
    await expect(rust('trace_replayTransaction', chain.sent['listed'], ['other'])).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('calls one after another, each on the state after the one before', async () => {
    const call = { from: ACCOUNTS[0]!.address, to: STORE, data: `${topic(4)}${topic(44).slice(2)}` };
    const results = await rust<{ stateDiff: Record<string, { storage: object }> }[]>('trace_callMany', [
      [call, ['stateDiff']],
      [{ ...call, data: `${topic(4)}${topic(45).slice(2)}` }, ['stateDiff']],
    ]);
    expect(results.map(({ stateDiff }) => stateDiff[STORE]!.storage)).toEqual([
      { [topic(4)]: { '*': { from: topic(0), to: topic(44) } } },
      { [topic(4)]: { '*': { from: topic(44), to: topic(45) } } },
    ]);
  });

  test('does not exist in the other flavour, which refuses it at the start', () => {
    expect(FLAVOURS.go.namespaces).not.toContain('trace');
    expect(FLAVOURS.rust.namespaces).toContain('trace');
  });
});

test('tracers run by name, and several together', async () => {
  const tracerConfig = { callTracer: {}, '4byteTracer': {}, noopTracer: {}, prestateTracer: { diffMode: true } };
  const all = await trace('listed', { tracer: 'muxTracer', tracerConfig });
  expect(Object.keys(all)).toEqual(Object.keys(tracerConfig));
  for (const [name, config] of Object.entries(tracerConfig))
    expect(all[name]).toEqual(await trace('listed', { tracer: name, tracerConfig: config }));
  await expect(trace('listed', { tracer: 'someTracer' })).rejects.toMatchObject({
    message: expect.stringContaining('served are'),
  });
  await expect(trace('listed', { tracer: 'callTracer', tracerConfig: { withLog: 7 } })).rejects.toMatchObject({
    code: -32602,
  });
});

test('a block with deposits is traced by number, hash and encoding alike', async () => {
  const options = { tracer: 'callTracer' };
  const [byNumber, byHash, byBytes] = await Promise.all([
    chain.go.rpc.call<{ txHash: string; result: object }[]>('debug_traceBlockByNumber', ['0x1', options]),
    chain.go.rpc.call('debug_traceBlockByHash', [chain.blocks[0]!.hash, options]),
    chain.go.rpc
      .call('debug_getRawBlock', ['0x1'])
      .then((raw) => chain.go.rpc.call('debug_traceBlock', [raw, options])),
  ]);
  expect(byHash).toEqual(byNumber);
  expect(byBytes).toEqual(byNumber);
  expect(byNumber[1]).toMatchObject({ txHash: chain.deposit, result: { to: LOGGER, value: '0x1' } });
  await expect(chain.go.rpc.call('debug_traceBlockByNumber', ['0x0'])).rejects.toMatchObject({
    message: 'genesis is not traceable',
  });
  await expect(chain.go.rpc.call('debug_traceBlock', ['0xc0'])).rejects.toMatchObject({ code: -32000 });
});

test('the rust flavour gives the encodings of a block’s transactions, the other has no such method', async () => {
  const { transactions } = await chain.rust.rpc.call<{ transactions: Hex[] }>('eth_getBlockByNumber', ['0x2', false]);
  const raws = await chain.rust.rpc.call<Hex[]>('debug_getRawTransactions', ['0x2']);
  expect(raws.map((raw) => keccak256(raw))).toEqual(transactions);
  await expect(chain.go.rpc.call('debug_getRawTransactions', ['0x2'])).rejects.toMatchObject({ code: -32601 });
});

test('a call is traced on the state inside a block, with overrides, within its time limit', async () => {
  const call = { from: ACCOUNTS[0]!.address, to: STORE };
  const code = '0x6001545f5260205ff3';
  const output = async (more: object) =>
    (
      await chain.go.rpc.call<{ output: string }>('debug_traceCall', [
        call,
        '0x2',
        { tracer: 'callTracer', stateOverrides: { [STORE]: { code } }, ...more },
      ])
    ).output;
  expect(await output({})).toBe(topic(9));
  expect(await output({ txIndex: '0x2' })).toBe(topic(0));
  const endless = { tracer: 'callTracer', timeout: '50ms', stateOverrides: { [STORE]: { code: '0x5b600056' } } };
  await expect(chain.go.rpc.call('debug_traceCall', [call, 'latest', endless])).rejects.toMatchObject({
    message: 'execution aborted (timeout = 0.05s)',
  });
});

describe('the tracers of each client:', () => {
  const INNER = '0x000000000000000000000000000000000000beef';
  type Call = { readonly error?: string; readonly calls?: readonly Call[] };
  type Result = Call & { readonly structLogs: readonly Record<string, unknown>[] } & Record<
      string,
      { storage?: object }
    >;
  const call = (code: string, inner: string, options: object, flavour: 'go' | 'rust' = 'go') =>
    chain[flavour].rpc.call<Result>('debug_traceCall', [
      { to: STORE },
      'latest',
      { ...options, stateOverrides: { [STORE]: { code: `0x${code}` }, [INNER]: { code: `0x${inner}` } } },
    ]);
  /** Calls the traced contract with 2,300 gas. */
  const CALLING = '5f5f5f5f5f61beef6108fcf100';
  const CALLING_STATIC = '5f5f5f5f61beef6108fcfa00';

  test.each<[string, string, string, string, string]>([
    [
      'an SSTORE without the gas that must be left',
      CALLING,
      '60015f5500',
      'out of gas: not enough gas for reentrancy sentry',
      'out of gas: not enough gas for reentrancy sentry',
    ],
    [
      'the same when it may not write at all',
      CALLING_STATIC,
      '60015f5500',
      'out of gas: not enough gas for reentrancy sentry',
      'StateChangeDuringStaticCall',
    ],
    [
      'a call of an address that it cannot pay for',
      CALLING,
      '5f5f5f5f5f61dead5af100',
      'out of gas: out of gas',
      'out of gas',
    ],
    [
      'a log that may not be, and cannot be paid',
      CALLING_STATIC,
      '61ffff5fa000',
      'out of gas',
      'StateChangeDuringStaticCall',
    ],
    ['a log that may not be', CALLING_STATIC, '5f5fa000', 'write protection', 'StateChangeDuringStaticCall'],
    ['an instruction of no fork', CALLING, '0c', 'invalid opcode: opcode 0xc not defined', 'invalid opcode'],
    ['an instruction of a later fork', CALLING, '1e', 'invalid opcode: CLZ', 'NotActivated'],
    ['an instruction that finds too little', CALLING, '01', 'stack underflow (0 <=> 2)', 'StackUnderflow'],
    ['a DUP or SWAP that does', CALLING, '8f', 'stack underflow (0 <=> 16)', 'Out of stack'],
    [
      'a precompile that cannot read its input',
      '60015f525f5f60405f5f600661fffff100',
      '',
      'bn256: malformed point',
      'precompiled failed',
    ],
  ])('%s', async (_, code, inner, go, rust) => {
    const tracer = { tracer: 'callTracer' };
    expect((await call(code, inner, tracer)).calls![0]!.error).toBe(go);
    expect((await call(code, inner, tracer, 'rust')).calls![0]!.error).toBe(rust);
  });

  test.each<[string, string, string, number, string | undefined]>([
    // 15 gas go to its operands.
    ['a call with value of itself', CALLING, '5f5f5f5f6001305af1', 9100 + 2285, 'out of gas'],
    ['a call with value of a cold address', CALLING, '5f5f5f5f600161dead5af1', 100, 'out of gas: out of gas'],
    ['a call with value in a static call', '5f5f5f5f61beef61fffffa00', '5f5f5f5f6001305af1', 64_639, undefined],
  ])(
    'the Go client’s struct logger shows the whole cost of %s, which fails',
    async (_, code, inner, gasCost, error) => {
      const step = (await call(code, inner, {})).structLogs.findLast(({ depth }) => depth === 2)!;
      expect([step['op'], step['gasCost'], step['error']]).toEqual(['CALL', gasCost, error]);
    },
  );

  test('a slot is not read when its SSTORE runs out of gas', async () => {
    const accounts = await call(CALLING_STATIC, '60015f5500', { tracer: 'prestateTracer' });
    expect(accounts[INNER]!.storage).toBeUndefined();
  });

  test('the rust flavour keeps logs of a failed outermost frame, and its SELFDESTRUCT under onlyTopCall', async () => {
    const top = { tracer: 'callTracer', tracerConfig: { withLog: true, onlyTopCall: true } };
    const failing = await call('5f5fa05f5ffd', '', top, 'rust');
    expect(failing).toMatchObject({ error: 'execution reverted', logs: [{ data: '0x' }] });
    expect(await call('5f5fa05f5ffd', '', top)).not.toHaveProperty('logs');
    const leaving = await call('61beefff', '', top, 'rust');
    expect(leaving.calls).toMatchObject([{ type: 'SELFDESTRUCT', to: INNER }]);
    expect(await call('61beefff', '', top)).not.toHaveProperty('calls');
  });

  test('the Go client’s struct logger shows the error before an instruction, not the one during it', async () => {
    const last = async (code: string, flavour: 'go' | 'rust', options = {}) =>
      (await call(code, '', options, flavour)).structLogs.at(-1)!;
    expect([await last('01', 'go'), await last('01', 'rust')].map(({ error }) => error)).toEqual([
      'stack underflow (0 <=> 2)',
      'Some(StackUnderflow)',
    ]);
    expect((await last('fe', 'go'))['error']).toBeUndefined();
    expect((await last('fe', 'rust'))['error']).toBe('Some(InvalidFEOpcode)');
    expect((await last('5f01', 'go', { limit: 1 }))['error']).toBeUndefined();
    const creating = (await call(CALLING, '60205f5ff0', {})).structLogs.find(({ op }) => op === 'CREATE');
    expect(creating).toMatchObject({ gasCost: 32_000, error: 'out of gas' });
  });

  test('the Go client’s struct logger leaves out what is empty', async () => {
    const options = { enableMemory: true, enableReturnData: true };
    const [go, rust] = [await call('00', '', options), await call('00', '', options, 'rust')];
    expect(go.structLogs).toEqual([{ pc: 0, op: 'STOP', gas: expect.any(Number), gasCost: 0, depth: 1, stack: [] }]);
    expect(rust.structLogs).toEqual([{ ...go.structLogs[0], refund: 0, memory: [], returnData: '0x' }]);
  });

  test('the rust struct logger shows the gas of a creation and the STOP of empty init code', async () => {
    const steps = async (code: string, flavour: 'go' | 'rust') => (await call(code, '', {}, flavour)).structLogs;
    const creation = async (flavour: 'go' | 'rust') => (await steps('5f5f5ff000', flavour)).slice(3, 5);
    const [{ gas, gasCost: cost }] = (await creation('go')) as [{ gas: number; gasCost: number }];
    const handed = gas - cost - Math.floor((gas - cost) / 64);
    expect(await creation('rust')).toMatchObject([
      { op: 'CREATE', gasCost: cost + handed },
      { op: 'STOP', depth: 2, gas: handed, gasCost: 0, stack: [], refund: 0 },
    ]);
    expect(await creation('go')).toMatchObject([{ op: 'CREATE' }, { op: 'STOP', depth: 1 }]);
    const stored = async (flavour: 'go' | 'rust') =>
      (await call(CALLING, '60015f5500', {}, flavour)).structLogs.find(({ op }) => op === 'SSTORE')!['storage'];
    expect([await stored('go'), await stored('rust')]).toEqual([{ [topic(0)]: topic(1) }, {}]);
  });

  test('the rust flavour loads a precompile that is a beneficiary, at the cost of a warm address', async () => {
    const heir = `0x${'00'.repeat(19)}08`;
    const looked = async (gas: string) =>
      Object.keys(await call(`5f5f5f5f5f61beef61${gas}f100`, '6008ff', { tracer: 'prestateTracer' }, 'rust'));
    expect(await looked('1400')).toContain(heir);
    expect(await looked('1300')).not.toContain(heir);
  });

  test('a call that cannot start', async () => {
    const poor = { from: `0x${'11'.repeat(20)}`, to: STORE, value: '0x1' };
    const refused = (flavour: 'go' | 'rust') => chain[flavour].rpc.call('debug_traceCall', [poor, 'latest', {}]);
    await expect(refused('go')).rejects.toMatchObject({
      message: expect.stringMatching(/^tracing failed: insufficient/),
    });
    await expect(refused('rust')).rejects.toMatchObject({ message: expect.stringMatching(/^insufficient/) });
  });
});

describe('traces of deposits as in each client:', () => {
  type Traced = { readonly txHash: Hex; readonly result: Record<string, unknown> };
  const traced = async (flavour: 'go' | 'rust', options: object, block: Hex) =>
    chain[flavour].rpc.call<Traced[]>('debug_traceBlockByNumber', [block, options]);
  let block: Hex;
  let raws: Hex[];
  beforeAll(async () => {
    raws = [
      deposit({ to: LOGGER, mint: 5n, value: 5n, data: topic(6) }),
      deposit({ to: LOGGER, value: 10n ** 30n, gas: 50_000, data: topic(7) }),
      deposit({ to: null, gas: 100_000, data: '0x6001600c60003960016000f3fe' }),
      deposit({ to: REVERTER, gas: 100_000, data: '0xabcd' }),
    ];
    block = `0x${(await chain.extend(raws)).number.toString(16)}`;
  });

  test('the L1 attributes and users’ deposits are calls of their senders with the gas of their receipts', async () => {
    const receipts = await chain.go.rpc.call<{ gasUsed: Hex }[]>('eth_getBlockReceipts', [block]);
    const calls = await traced('go', { tracer: 'callTracer', tracerConfig: { withLog: true } }, block);
    expect(calls.map(({ result }) => result['gasUsed'])).toEqual(receipts.map(({ gasUsed }) => gasUsed));
    expect(calls.map(({ result }) => result['type'])).toEqual(['CALL', 'CALL', 'STOP', 'CREATE', 'CALL']);
    expect(calls[0]!.result).toMatchObject({ from: L1_ATTRIBUTES_DEPOSITOR, to: PREDEPLOYS.l1Block, value: '0x0' });
    expect(calls[1]).toMatchObject({
      txHash: keccak256(raws[0]!),
      result: { value: '0x5', logs: [{ address: LOGGER }] },
    });
    expect(calls[4]!.result).toMatchObject({ error: 'execution reverted', output: '0xabcd' });
  });

  test('a deposit without funds: go shows only its gas, rust the frame that lacks its value', async () => {
    const [go, rust] = [
      await traced('go', { tracer: 'callTracer' }, block),
      await traced('rust', { tracer: 'callTracer' }, block),
    ];
    expect(go[2]!.result).toEqual({
      ...{ gas: '0x0', gasUsed: '0xc350', error: 'failed deposit transaction', type: 'STOP' },
      ...{ from: `0x${'00'.repeat(20)}`, input: '0x' },
    });
    expect(rust[2]!.result).toEqual({
      ...{ gas: '0xc350', gasUsed: '0xc350', error: 'insufficient balance for transfer', type: 'CALL' },
      from: '0x00000000000000000000000000000000000000aa',
      to: LOGGER,
      input: topic(7),
      value: `0x${(10n ** 30n).toString(16)}`,
    });
    expect((await traced('go', {}, block))[2]!.result).toMatchObject({ failed: false, structLogs: [] });
    expect((await traced('rust', {}, block))[2]!.result).toMatchObject({ failed: true, structLogs: [] });
  });

  test('the rust flavour counts the selector of a deposit that lacks its value, without instructions', async () => {
    const counted = async (flavour: 'go' | 'rust') =>
      (await traced(flavour, { tracer: '4byteTracer' }, block)).map(({ result }) => result);
    expect(await counted('rust')).toEqual([{}, { '0x00000000-28': 1 }, { '0x00000000-28': 1 }, {}, {}]);
    expect(await counted('go')).toEqual([{}, { '0x00000000-28': 1 }, {}, {}, {}]);
    const parts = ['vmTrace'];
    expect(await chain.rust.rpc.call('trace_replayTransaction', [keccak256(raws[1]!), parts])).toMatchObject({
      vmTrace: { code: await chain.rust.rpc.call('eth_getCode', [LOGGER, block]), ops: [] },
    });
    expect(await chain.rust.rpc.call('ots_traceTransaction', [keccak256(raws[1]!)])).toMatchObject([
      { type: 'CALL', depth: 0, to: LOGGER, input: topic(7), output: '0x' },
    ]);
  });

  test('a state change is shown for the mint of a deposit, and none for fees', async () => {
    const changes = (await traced('go', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, block))[1]!
      .result;
    const sender = '0x00000000000000000000000000000000000000aa';
    expect(Object.keys(changes['post'] as object).sort()).toEqual([sender, LOGGER].sort());
  });

  test('the rust flavour shows all loads, such as fee vaults, and no unpaid recipient of a deposit', async () => {
    const vaults = Object.values(FEE_RECIPIENTS);
    const deposited = await traced('rust', { tracer: 'prestateTracer' }, block);
    for (const { result } of deposited) expect(Object.keys(result)).not.toEqual(expect.arrayContaining([vaults[0]]));
    expect(Object.values(deposited[3]!.result)).toContainEqual({ balance: '0x0' });
    const traceOf = (options: object) =>
      chain.rust.rpc.call<Record<string, Record<string, unknown>>>('debug_traceTransaction', [
        chain.sent['legacy'],
        { tracer: 'prestateTracer', tracerConfig: options },
      ]);
    expect(Object.keys(await traceOf({}))).toEqual(expect.arrayContaining(vaults));
    const { pre, post } = await traceOf({ diffMode: true });
    expect(BigInt((post![FEE_RECIPIENTS.base] as { balance: Hex }).balance)).toBeGreaterThan(
      BigInt((pre![FEE_RECIPIENTS.base] as { balance: Hex }).balance),
    );
  });

  test('the rust flavour shows an empty call when the gas does not pay for the data', async () => {
    type Flat = { action: Record<string, string>; result: object | null; error?: string };
    expect(await chain.rust.rpc.call<Flat[]>('trace_transaction', [keccak256(raws[1]!)])).toMatchObject([
      {
        action: { to: LOGGER, value: `0x${(10n ** 30n).toString(16)}`, input: topic(7), gas: expect.any(String) },
        result: null,
        error: 'Insufficient balance for transfer',
      },
    ]);
    const small = deposit({ to: LOGGER, gas: 20_000 });
    await chain.extend([small]);
    const nobody = `0x${'00'.repeat(20)}`;
    expect(await chain.rust.rpc.call<Flat[]>('trace_transaction', [keccak256(small)])).toMatchObject([
      { action: { from: nobody, to: nobody, gas: '0x0', input: '0x', value: '0x0' }, result: { gasUsed: '0x0' } },
    ]);
  });

  test('system calls at the start of a block are in no trace', async () => {
    const all = await traced('go', { tracer: 'prestateTracer' }, block);
    const addresses = all.flatMap(({ result }) => Object.keys(result));
    expect(addresses).not.toContain(BEACON_ROOTS_ADDRESS);
    expect(addresses).not.toContain(HISTORY_STORAGE_ADDRESS);
    const flat = await chain.rust.rpc.call<{ traceAddress: number[] }[]>('trace_block', [block]);
    expect(flat.filter(({ traceAddress }) => traceAddress.length === 0)).toHaveLength(all.length);
  });
});

test.each<[string, Hex, object]>([
  ['instructions', '0x5b5f56', {}],
  ['calldata of calls', '0x5b5f5f620fffff5f5f61beee5af1505f56', { tracer: 'callTracer' }],
])('a trace that exceeds the limit of an answer ends at once: %s', async (_, code, options) => {
  const settings = { ...options, stateOverrides: { [STORE]: { code } } };
  for (const [flavour, error] of [['go', -32003] as const, ['rust', -32008] as const]) {
    await using node = await launch(genesisText(schedule), { flavour, limits: { response: 100_000 } });
    await expect(node.rpc.call('debug_traceCall', [{ to: STORE }, 'latest', settings])).rejects.toMatchObject({
      code: error,
    });
    const small = { ...settings, stateOverrides: { [STORE]: { code: '0x00' } } };
    expect(await node.rpc.call('debug_traceCall', [{ to: STORE }, 'latest', small])).toBeTruthy();
  }
});

test('only the go flavour reads the signer of an authorization for another chain', async () => {
  const [sender, here, elsewhere] = [ACCOUNTS[2]!, ACCOUNTS[3]!, ACCOUNTS[4]!];
  const authorizationList = await Promise.all([
    here.signAuthorization({ chainId: CHAIN_ID, contractAddress: STORE, nonce: 0 }),
    elsewhere.signAuthorization({ chainId: CHAIN_ID + 1, contractAddress: STORE, nonce: 0 }),
  ]);
  const nonce = Number(await chain.go.rpc.call('eth_getTransactionCount', [sender.address, 'latest']));
  const raw = await sender.signTransaction({
    ...{ type: 'eip7702', chainId: CHAIN_ID, nonce, gas: 100_000n, to: LOGGER, authorizationList },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
  });
  await chain.extend([raw]);
  const addressesOf = async (flavour: 'go' | 'rust') =>
    Object.keys(
      await chain[flavour].rpc.call<object>('debug_traceTransaction', [keccak256(raw), { tracer: 'prestateTracer' }]),
    );
  const [signer, stranger] = [here.address.toLowerCase(), elsewhere.address.toLowerCase()];
  expect(await addressesOf('go')).toEqual(expect.arrayContaining([signer, stranger]));
  expect(await addressesOf('rust')).toEqual(expect.arrayContaining([signer]));
  expect(await addressesOf('rust')).not.toContain(stranger);
});

test('prestateTracer: the rust flavour loads the delegate of a recipient, and neither shows removed code', async () => {
  const [sender, signer] = [ACCOUNTS[2]!, ACCOUNTS[4]!];
  const delegate = '0x000000000000000000000000000000000000beef';
  const delegating = async (contractAddress: Hex, nonce: number) => {
    const raw = await sender.signTransaction({
      ...{ type: 'eip7702', chainId: CHAIN_ID, gas: 100_000n, to: signer.address, maxFeePerGas: 10n ** 10n },
      nonce: Number(await chain.go.rpc.call('eth_getTransactionCount', [sender.address, 'latest'])),
      authorizationList: [await signer.signAuthorization({ chainId: CHAIN_ID, contractAddress, nonce })],
    });
    await chain.extend([raw]);
    return keccak256(raw);
  };
  const traceOf = <Result>(flavour: 'go' | 'rust', hash: Hex, tracerConfig = {}) =>
    chain[flavour].rpc.call<Result>('debug_traceTransaction', [hash, { tracer: 'prestateTracer', tracerConfig }]);
  const first = await delegating(delegate, 0);
  expect(Object.keys(await traceOf<object>('rust', first))).toContain(delegate);
  expect(Object.keys(await traceOf<object>('go', first))).not.toContain(delegate);
  const last = await delegating(`0x${'00'.repeat(20)}`, 1);
  for (const flavour of ['go', 'rust'] as const) {
    const { pre, post } = await traceOf<Record<'pre' | 'post', Record<string, object>>>(flavour, last, {
      diffMode: true,
    });
    expect(pre[signer.address.toLowerCase()], flavour).toHaveProperty('code');
    expect(post[signer.address.toLowerCase()], flavour).toEqual({ nonce: 2 });
  }
});
