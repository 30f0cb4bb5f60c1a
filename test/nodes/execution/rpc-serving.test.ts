import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAVOURS } from '../../../src/nodes/execution/flavour.ts';
import { NAMESPACES } from '../../../src/nodes/execution/methods/namespaces.ts';
import { webSocketClient } from '../../../src/rpc/websocket-client.ts';
import { CALLS } from './conformance/calls.ts';
import { genesisText } from './support/genesis.ts';
import { launch } from './support/nodes.ts';
import { type SampleChain, sampleChain, schedule } from './support/sample-chain.ts';

test.each(['go', 'rust'] as const)(
  'the %s flavour serves on each listener the namespaces that it names',
  async (flavour) => {
    await using node = await launch(genesisText(schedule), {
      flavour,
      api: { http: ['eth'], websocket: ['web3', 'net'] },
    });
    const socket = webSocketClient({ url: node.wsUrl });
    const { methodNotFound } = FLAVOURS[flavour];
    expect(await node.rpc.call('eth_chainId')).toBe('0x385');
    expect(await socket.call('net_version')).toBe('901');
    for (const [client, name] of [
      [node.rpc, 'net_version'],
      [node.rpc, 'debug_traceBlockByNumber'],
      [socket, 'eth_chainId'],
      [socket, 'eth_subscribe'],
    ] as const)
      await expect(client.call(name)).rejects.toMatchObject({ code: -32601, message: methodNotFound(name) });
    if (flavour === 'go') expect(await node.rpc.call('rpc_modules')).toEqual({ eth: '1.0', rpc: '1.0' });
    expect(await node.engine.call('eth_chainId')).toBe('0x385');
    socket.close();
  },
);

describe('a query of logs', () => {
  test.each<[object, object, string]>([
    [{ logRange: 2 }, { fromBlock: '0x0', toBlock: '0x3' }, 'query exceeds max block range 2'],
    [{ logs: 1 }, { fromBlock: '0x0' }, 'query exceeds max results 1, retry with the range 0-1'],
    [
      { logAddresses: 1 },
      { address: ['0x', '0x'].map((_, at) => `0x${`${at}`.repeat(40)}`) },
      'exceed max addresses: 1',
    ],
    [
      { logTopics: 1 },
      { topics: [['0', '1'].map((digit) => `0x${digit.repeat(64)}`)] },
      'exceed max topics: 1 in one position',
    ],
  ])('over the limits %j is refused', async (limits, filter, message) => {
    Object.assign(chain.go.node.context, { limits: { ...FLAVOURS.go.limits, ...limits } });
    await expect(chain.go.rpc.call('eth_getLogs', [filter])).rejects.toMatchObject({ code: -32602, message });
    Object.assign(chain.go.node.context, { limits: FLAVOURS.go.limits });
  });
});

let chain: SampleChain;
beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());

/** Requests near valid ones: a parameter replaced, dropped, doubled or turned into something else. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', '0x', '0x0', '0xzz', -1, 1e300, true, [], {}, '0x'.padEnd(70, 'f'), 'latest', {
    blockHash: '0x1',
  }),
  fc.jsonValue({ maxDepth: 2 }),
);
const change = fc.record({
  place: fc.nat(4),
  value: odd,
  kind: fc.constantFrom('replace', 'drop', 'append', 'inside'),
});

function mutated(
  params: readonly unknown[],
  { place, value, kind }: { place: number; value: unknown; kind: string },
): unknown[] {
  const copy = structuredClone(params) as unknown[];
  const at = copy.length === 0 ? 0 : place % copy.length;
  const inner = copy[at];
  if (kind === 'drop') copy.splice(at, 1);
  else if (kind === 'append') copy.push(value);
  else if (kind === 'inside' && typeof inner === 'object' && inner !== null) {
    const keys = Object.keys(inner);
    (inner as Record<string, unknown>)[keys[place % Math.max(1, keys.length)] ?? 'x'] = value;
  } else copy[at] = value;
  return copy;
}

test('whatever comes is answered, and so is the next request', async () => {
  const names = Object.keys(Object.assign({}, ...Object.values(NAMESPACES))).filter((name) => !CALLS[name]?.socket);
  const valid = new Map<string, readonly (readonly unknown[])[]>();
  for (const name of names) valid.set(name, await CALLS[name]!.calls(chain));
  const failures: string[] = [];
  const property = fc.asyncProperty(fc.constantFrom(...names), fc.nat(9), change, async (name, pick, changed) => {
    const calls = valid.get(name)!;
    const params = mutated(calls[pick % calls.length]!, changed);
    const error = await chain.rust.rpc.call(name, params).then(
      () => undefined,
      (thrown: { code?: number; message: string }) => thrown,
    );
    // -32603 is for what this client did not think of.
    if (error !== undefined && (error.code === undefined || error.code === -32603))
      failures.push(`${name} ${JSON.stringify(params)}: ${error.message}`);
  });
  await fc.assert(property, { numRuns: 600, seed: 1 });
  expect(failures).toEqual([]);
  expect(await chain.rust.rpc.call('eth_chainId')).toBe('0x385');
});
