import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import { NAMESPACES, tableOf } from '../../../../src/nodes/execution/methods/namespaces.ts';
import { rpc } from '../../../../src/nodes/execution/methods/rpc.ts';
import { readOptions } from '../../../../src/nodes/execution/options/options.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { ABSENT, ABSENT_OPTIONS } from '../conformance/absent.ts';
import { CALLS, MALFORMED, parameterCount, type Shown } from '../conformance/calls.ts';
import { observe, type Shape } from '../conformance/observe.ts';
import { render } from '../conformance/render.ts';
import { type SampleChain, sampleChain } from '../support/sample-chain.ts';

const flavours: readonly FlavourName[] = ['go', 'rust'];
const registered = Object.keys(Object.assign({}, ...Object.values(NAMESPACES), rpc));
const shapes: Record<string, Partial<Record<FlavourName, Shape>>> = {};
let chain: SampleChain;
const sockets: Partial<Record<FlavourName, RpcClient>> = {};

beforeAll(async () => {
  chain = await sampleChain();
  for (const flavour of flavours) sockets[flavour] = webSocketClient({ url: chain[flavour].wsUrl });
});
afterAll(async () => {
  for (const flavour of flavours) sockets[flavour]?.close();
  await chain[Symbol.asyncDispose]();
});

function clientOf(flavour: FlavourName, example: Shown): RpcClient {
  return example.socket ? sockets[flavour]! : chain[flavour].rpc;
}

/** Parameters with the filters or subscriptions that they need. */
async function prepared(client: RpcClient, params: readonly unknown[]): Promise<unknown[]> {
  return Promise.all(
    params.map((param) => {
      const creator = (param as { $made?: string } | null | undefined)?.$made;
      if (creator === undefined) return param;
      const args = { eth_subscribe: ['newHeads'], eth_newFilter: [{}] }[creator] ?? [];
      return client.call(creator, args);
    }),
  );
}

test('the conformance table has every method and no other', () => {
  const missing = registered.filter((name) => CALLS[name] === undefined);
  expect(
    missing,
    'show them in conformance/calls.ts, then write the page: vitest run … methods/conformance -u',
  ).toEqual([]);
  expect(Object.keys(CALLS).filter((name) => !registered.includes(name))).toEqual([]);
  const files = new Set(Object.values(CALLS).flatMap(({ tests = [] }) => tests));
  for (const file of files) expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
});

describe.each(flavours)('the %s flavour', (flavour) => {
  const served = new Set(Object.keys(tableOf(FLAVOURS[flavour].namespaces, FLAVOURS[flavour])));

  test.each(registered.filter((name) => served.has(name)))('answers %s', async (name) => {
    const example = CALLS[name]!;
    const client = clientOf(flavour, example);
    const shape = new Map<string, Set<string>>();
    for (const params of await example.calls(chain))
      observe(await client.call(name, await prepared(client, params)), shape);
    shapes[name] = { ...shapes[name], [flavour]: shape };
  });

  test.each(registered.filter((name) => served.has(name)))('refuses %s with wrong parameters', async (name) => {
    const client = clientOf(flavour, CALLS[name]!);
    const { params } = tableOf(FLAVOURS[flavour].namespaces, FLAVOURS[flavour])[name]!;
    const most = parameterCount(params);
    if (!FLAVOURS[flavour].envelope.ignoresExtraParams)
      await expect(client.call(name, new Array(most + 1).fill('0x0'))).rejects.toMatchObject({ code: -32602 });
    if (most > 0) await expect(client.call(name, [MALFORMED])).rejects.toMatchObject({ code: -32602 });
  });

  test.each([
    ...ABSENT.flatMap(({ methods }) => methods),
    ...registered.filter((name) => !served.has(name)),
    'eth_nothing',
    '__proto__',
  ])('has no %s', async (name) => {
    await expect(chain[flavour].rpc.call(name)).rejects.toMatchObject({
      code: -32601,
      message: FLAVOURS[flavour].envelope.methodNotFound(name).message,
    });
  });
});

test.each(ABSENT_OPTIONS.flatMap(({ options }) => options))('an execution client refuses the option %s', (option) => {
  expect(() => readOptions([`${option}=1`], {})).toThrow(option.slice(2));
});

test('the conformance page in docs matches the observed shapes', async () => {
  await expect(render(shapes)).toMatchFileSnapshot('../../../../docs/conformance-execution.md');
});
