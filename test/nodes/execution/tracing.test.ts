import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAVOURS } from '../../../src/nodes/execution/flavour.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from './support/accounts.ts';
import { genesisText, LOGGER, STORE } from './support/genesis.ts';
import { launch } from './support/nodes.ts';
import { type SampleChain, sampleChain, schedule, topic } from './support/sample-chain.ts';

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

test('the struct logger shows each instruction with what it is asked to show', async () => {
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
    const own = await rust<Flat[]>('trace_transaction', hash);
    expect(own).toEqual(all.filter(({ transactionHash }) => transactionHash === hash));
    expect(own).toMatchObject([
      {
        type: 'call',
        action: { to: LOGGER, callType: 'call', input: topic(1) },
        subtraces: 0,
        traceAddress: [],
        blockNumber: 2,
        transactionPosition: 1,
      },
    ]);
    expect(await rust('trace_get', hash, ['0x0'])).toEqual(own[0]);
    expect(await rust('trace_get', hash, ['0x1'])).toBeNull();
    const found = await rust<Flat[]>('trace_filter', { fromBlock: '0x1', toAddress: [LOGGER] });
    expect(found.map(({ action }) => action['to'])).toEqual([LOGGER, LOGGER]);
    expect(await rust('trace_filter', { fromBlock: '0x1', toAddress: [LOGGER], after: 1, count: 1 })).toEqual([
      found[1],
    ]);
    await expect(rust('trace_filter', { fromBlock: '0x3', toBlock: '0x2' })).rejects.toMatchObject({ code: -32602 });
    expect(await rust('trace_block', 'earliest')).toEqual([]);
  });

  test('replays a transaction with what it changed', async () => {
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

  test('calls one after another, each on what the one before left', async () => {
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

  test('is not there in the other flavour, and said so at the start', () => {
    expect(FLAVOURS.go.namespaces).not.toContain('trace');
    expect(FLAVOURS.rust.namespaces).toContain('trace');
  });
});

test('the other tracers, together and by name', async () => {
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

test('a block is traced by number, hash and encoding alike; deposits stand in it', async () => {
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

test('a call is traced on the state inside a block, with overrides, within its time', async () => {
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

test('an SSTORE without the gas that must be left is out of gas, also where it may not write at all', async () => {
  const inner = '0x000000000000000000000000000000000000beef';
  const overrides = { [STORE]: { code: '0x5f5f5f5f61beef6108fcfa00' }, [inner]: { code: '0x60015f5500' } };
  const result = async (tracer: string) =>
    chain.go.rpc.call<Record<string, { storage?: object }> & { calls: { error: string }[] }>('debug_traceCall', [
      { to: STORE },
      'latest',
      { tracer, stateOverrides: overrides },
    ]);
  expect((await result('callTracer')).calls[0]!.error).toBe('out of gas');
  expect((await result('prestateTracer'))[inner]!.storage).toBeUndefined();
});

test.each<[string, Hex, object]>([
  ['instructions', '0x5b5f56', {}],
  ['calldata of calls', '0x5b5f5f620fffff5f5f61beee5af1505f56', { tracer: 'callTracer' }],
])('a trace that outgrows an answer ends at once: %s', async (_, code, options) => {
  const given = { ...options, stateOverrides: { [STORE]: { code } } };
  for (const [flavour, error] of [['go', -32003] as const, ['rust', -32008] as const]) {
    await using node = await launch(genesisText(schedule), { flavour, limits: { response: 1_000_000 } });
    await expect(node.rpc.call('debug_traceCall', [{ to: STORE }, 'latest', given])).rejects.toMatchObject({
      code: error,
    });
    const small = { ...given, stateOverrides: { [STORE]: { code: '0x00' } } };
    expect(await node.rpc.call('debug_traceCall', [{ to: STORE }, 'latest', small])).toBeTruthy();
  }
});
