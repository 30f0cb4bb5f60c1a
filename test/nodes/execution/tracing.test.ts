import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNTS } from './support/accounts.ts';
import { LOGGER } from './support/genesis.ts';
import { type SampleChain, sampleChain, topic } from './support/sample-chain.ts';

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
