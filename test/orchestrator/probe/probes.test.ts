import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Probe } from '../../../src/orchestrator/plan/plan.ts';
import { matches } from '../../../src/orchestrator/probe/expect.ts';
import { PROBE_KINDS } from '../../../src/orchestrator/probe/kinds.ts';
import { ask, untilHolds } from '../../../src/orchestrator/probe/probes.ts';
import * as registry from '../../../src/orchestrator/probe/registry.ts';
import { key, withDescription } from '../../../src/orchestrator/spec/schema/words.ts';
import { freePort } from '../../system/free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-probe-'));
const log = join(folder, 'node.log');
let server: Server;
let url: string;
let port: number;
let height = 0;
const authorizations: (string | undefined)[] = [];

beforeAll(async () => {
  const methods: Readonly<Record<string, () => unknown>> = {
    eth_chainId: () => '0x385',
    eth_blockNumber: () => `0x${height.toString(16)}`,
    consensus_rollupConfig: () => ({ genesis: { l2: { hash: '0xAA' } }, list: ['a', 'b'] }),
    peernet_peerStats: () => ({ connected: 2 }),
  };
  server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.statusCode = request.url === '/ill' ? 503 : 200;
      response.end(request.url === '/text' ? 'plain' : '{"data":{"genesis_time":"7"}}');
      return;
    }
    authorizations.push(request.headers.authorization);
    let text = '';
    for await (const part of request) text += part;
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    const answer = methods[method];
    response.end(
      JSON.stringify(
        answer
          ? { jsonrpc: '2.0', id, result: answer() }
          : { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } },
      ),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as { port: number }).port;
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a kind has the name of its file', () => {
  expect(PROBE_KINDS.map(({ name }) => name)).toEqual(Object.keys(registry));
});

it('no kind has a key with the name of another kind, so that each probe names one', () => {
  const names = PROBE_KINDS.map(({ name }) => name as string);
  const keysOf = (kind: (typeof PROBE_KINDS)[number]) => Object.keys(kind.schema({ z, key, withDescription }).shape);
  for (const kind of PROBE_KINDS) expect(keysOf(kind).filter((word) => names.includes(word))).toEqual([kind.name]);
});

const subject = (more = {}) => ({ log, logStart: 0, exitCode: undefined, ...more });
const once = (probe: Probe, more = {}) => ask(probe, subject(more), new AbortController().signal);
const description = '';

describe('rpc', () => {
  const rpc = (method: string, expected: Readonly<Record<string, unknown>>): Probe => ({
    kind: 'rpc',
    url,
    method,
    params: [],
    expect: expected,
    description,
  });

  it.each([
    ['eth_chainId', { '': '0x385' }, 'ok'],
    ['eth_chainId', { '': '0x1' }, 'mismatch'],
    ['consensus_rollupConfig', { 'genesis.l2.hash': '0xaa', 'list.1': 'b' }, 'ok'],
    ['consensus_rollupConfig', { 'genesis.l3.hash': '0xaa' }, 'mismatch'],
    ['eth_frobnicate', {}, 'mismatch'],
  ] as const)('%s with %j: %s', async (method, expected, kind) => {
    expect((await once(rpc(method, expected))).kind).toBe(kind);
  });

  it('a port without a listener is unreachable, not a mismatch', async () => {
    const unused = await freePort();
    expect(
      await once({
        kind: 'rpc',
        url: `http://127.0.0.1:${unused}`,
        method: 'eth_chainId',
        params: [],
        expect: {},
        description,
      }),
    ).toMatchObject({ kind: 'unreachable' });
  });

  it('sends the JWT of its file', async () => {
    const jwtFile = join(folder, 'jwt.hex');
    writeFileSync(jwtFile, '11'.repeat(32));
    expect((await once({ ...rpc('eth_chainId', {}), jwtFile } as Probe)).kind).toBe('ok');
    expect(authorizations.at(-1)).toMatch(/^Bearer ey/);
  });
});

it.each([
  ['/eth/v1/beacon/genesis', 200, { 'data.genesis_time': '7' }, 'ok'],
  ['/eth/v1/beacon/genesis', 200, { 'data.genesis_time': '8' }, 'mismatch'],
  ['/ill', 200, {}, 'unreachable'],
  ['/ill', 503, {}, 'ok'],
  ['/eth/v1/beacon/genesis', 201, {}, 'mismatch'],
  ['/text', 200, { a: 1 }, 'mismatch'],
  ['/text', 200, {}, 'ok'],
] as const)('http: %s %i %j: %s', async (path, status, expected, kind) => {
  expect((await once({ kind: 'http', url: url + path, status, expect: expected, description })).kind).toBe(kind);
});

it('tcp: the port accepts connections', async () => {
  expect((await once({ kind: 'tcp', host: '127.0.0.1', port, description })).kind).toBe('ok');
  expect((await once({ kind: 'tcp', host: '127.0.0.1', port: await freePort(), description })).kind).toBe(
    'unreachable',
  );
});

it('log: a line since this start, not of the one before', async () => {
  writeFileSync(log, 'ready\nstarting\n');
  const probe: Probe = { kind: 'log', pattern: '^ready$', description };
  expect((await once(probe)).kind).toBe('ok');
  expect((await once(probe, { logStart: 6 })).kind).toBe('unreachable');
});

it.each([
  [undefined, 'unreachable'],
  [0, 'ok'],
  [1, 'mismatch'],
  [null, 'mismatch'],
] as const)('exit: ended with %j: %s', async (exitCode, kind) => {
  expect((await once({ kind: 'exit', code: 0, description }, { exitCode })).kind).toBe(kind);
});

it('height: the chain has grown', async () => {
  height = 3;
  expect((await once({ kind: 'height', url, atLeast: 3, description })).kind).toBe('ok');
  expect(await once({ kind: 'height', url, atLeast: 4, description })).toEqual({
    kind: 'mismatch',
    detail: 'is at block 3, expected 4',
  });
});

it('peers: asked in either family’s words', async () => {
  expect((await once({ kind: 'peers', url, atLeast: 2, description })).kind).toBe('ok');
  expect(await once({ kind: 'peers', url, atLeast: 3, description })).toEqual({
    kind: 'mismatch',
    detail: '2 of 3 peers are connected',
  });
});

it('a probe asks until it holds, and reports each answer meanwhile', async () => {
  height = 0;
  const details: string[] = [];
  await untilHolds(
    { kind: 'height', url, atLeast: 1, description },
    subject,
    new AbortController().signal,
    ({ detail }) => {
      details.push(detail);
      if (details.length === 3) height = 1;
    },
  );
  expect(details).toEqual(Array.from({ length: 3 }, () => 'is at block 0, expected 1'));
});

it('a probe stops when the signal aborts', async () => {
  const stop = new AbortController();
  const unused = await freePort();
  await untilHolds({ kind: 'tcp', host: '127.0.0.1', port: unused, description }, subject, stop.signal, () =>
    stop.abort(),
  );
  expect(stop.signal.aborted).toBe(true);
});

it('an expectation compares hex without case, everything else to the letter', () => {
  expect(matches('0xAB', { '': '0xab' }).kind).toBe('ok');
  expect(matches('Ab', { '': 'ab' }).kind).toBe('mismatch');
  expect(matches({ a: [1, 2] }, { a: [1, 2] }).kind).toBe('ok');
  expect(matches({}, { __proto__x: 1, 'constructor.name': 'Object' }).kind).toBe('mismatch');
});
