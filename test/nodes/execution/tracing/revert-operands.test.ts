import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { genesisText, STORE } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { schedule } from '../support/sample-chain.ts';

let nodes: readonly TestNode[];
beforeAll(async () => {
  nodes = await Promise.all((['go', 'rust'] as const).map((flavour) => launch(genesisText(schedule), { flavour })));
});
afterAll(async () => {
  for (const node of nodes) await node[Symbol.asyncDispose]();
});

describe('a trace of a REVERT that fails', () => {
  test.each<[string, Hex, RegExp]>([
    ['its data is longer than memory can be', '0x680100000000000000005ffd', /out.?of.?gas/i],
    ['its data is 32 GiB long', '0x6408000000005ffd', /out.?of.?gas/i],
    ['its data begins beyond memory', '0x600168010000000000000000fd', /out.?of.?gas/i],
    ['it follows a jump, and its data is 32 GiB long', '0x6003565b6408000000005ffd', /out.?of.?gas/i],
    ['the stack has one word', '0x5ffd', /stack.?underflow/i],
  ])('ends with that step when %s', async (_, code, error) => {
    for (const { rpc } of nodes) {
      const trace = (options: object) =>
        rpc.call<{ failed: boolean; structLogs: { op: string }[]; error: string }>('debug_traceCall', [
          { to: STORE, gas: '0x186a0' },
          'latest',
          { stateOverrides: { [STORE]: { code } }, ...options },
        ]);
      const { failed, structLogs } = await trace({});
      expect([failed, structLogs.at(-1)?.op]).toEqual([true, 'REVERT']);
      expect((await trace({ tracer: 'callTracer' })).error).toMatch(error);
    }
  });
});
