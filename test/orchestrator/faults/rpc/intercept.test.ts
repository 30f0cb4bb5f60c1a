import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { Links } from '../../../../src/orchestrator/faults/links.ts';
import type { Link } from '../../../../src/orchestrator/plan/plan.ts';
import type { RpcFault } from '../../../../src/orchestrator/state/faults.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { httpGet } from '../../../../src/rpc/client/http-rest.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { method } from '../../../../src/rpc/method.ts';
import { serve } from '../../../../src/rpc/server/server.ts';
import { freePort } from '../../../../src/system/net/ports.ts';

const host = '127.0.0.1';
const jwtSecret = new Uint8Array(32).fill(7);
const open: { close(): unknown }[] = [];
const used = new Set<number>();
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** Opens a link to a port of a task. */
async function linkTo(to: string, port: number) {
  const from = await freePort(host, [20_000, 32_000], used);
  used.add(from);
  const places = { listen: { host, port: from }, target: { host, port } };
  const link: Link = { id: `link:a>${to}:rpc`, from: 'a', to, port: 'rpc', transport: 'tcp', ...places };
  const links = new Links();
  open.push({ close: () => links.close() });
  await links.follow({ links: [link], seed: 1 });
  const fault = (...faults: readonly Pick<RpcFault, 'method' | 'answer' | 'at'>[]) =>
    links.intercept(new Map([[link.id, faults.map((each, at) => ({ id: `${at}`, since: 1, target: to, ...each }))]]));
  return { at: `${host}:${from}`, fault, heal: () => links.intercept(new Map()) };
}

/** Serves JSON-RPC with a token, behind a link. The number of calls is the answer of `eth_count`. */
async function engine() {
  let calls = 0;
  const methods = {
    eth_count: method('Counts.', z.tuple([]), () => ++calls),
    eth_echo: method('Echoes.', z.tuple([z.unknown()]), (_, [value]) => value ?? null),
  };
  const server = await serve({ methods, context: {}, host, port: 0, http: true, websocket: true, jwtSecret });
  open.push(server);
  const link = await linkTo('l1', server.port);
  const clients = [
    httpClient({ url: `http://${link.at}`, jwtSecret, timeoutMs: 2000 }),
    webSocketClient({ url: `ws://${link.at}`, jwtSecret, timeoutMs: 2000 }),
  ] as const;
  open.push(...clients);
  return { link, clients };
}

it('a method is answered with an error over HTTP and WebSocket, and all others pass with their token', async () => {
  const { link, clients } = await engine();
  for (const client of clients) expect(await client.call('eth_echo', ['before'])).toBe('before');
  link.fault({ method: 'eth_count', answer: 'error' });
  for (const client of clients) {
    await expect.poll(() => client.call('eth_echo', ['x']).catch(String)).toBe('x');
    await expect(client.call('eth_count')).rejects.toThrow('fault 0: eth_count is answered with an error');
    expect(await client.batch([{ method: 'eth_echo', params: [1] }, { method: 'eth_count' }])).toMatchObject([
      { ok: true, result: 1 },
      { ok: false },
    ]);
  }
  link.heal();
  for (const client of clients) await expect.poll(() => client.call('eth_count').catch(String)).toBeTypeOf('number');
});

it('a stale answer is the first one since the fault, and that of a tag is the block that it had', async () => {
  const { link, clients } = await engine();
  const [client] = clients;
  await client.call('eth_count');
  link.fault(
    { method: 'eth_count', answer: 'stale' },
    { method: 'eth_echo', answer: 'stale', at: { finalized: '0x7' } },
  );
  // The change has ended the connection that the client kept.
  const first = await vi.waitFor(() => client.call('eth_count'));
  expect(await client.call('eth_count')).toBe(first);
  expect([await client.call('eth_echo', ['finalized']), await client.call('eth_echo', ['latest'])]).toEqual([
    '0x7',
    'latest',
  ]);
});

it('a method that times out is answered when its fault is over', async () => {
  const { link, clients } = await engine();
  link.fault({ method: 'eth_count', answer: 'timeout' });
  const waiting = clients[0].call('eth_count').catch(String);
  expect(await clients[0].call('eth_echo', ['meanwhile'])).toBe('meanwhile');
  link.heal();
  expect(await waiting).not.toBeTypeOf('number');
  await expect.poll(() => clients[0].call('eth_count').catch(String)).toBeTypeOf('number');
});

it('a path of a beacon node lacks a blob, fails or stays, and all others pass', async () => {
  let calls = 0;
  const beacon = createServer((request, response) => {
    const data = request.url?.includes('blob') ? ['a', 'b'] : ++calls;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  await new Promise<void>((done) => beacon.listen(0, host, done));
  open.push({
    close() {
      beacon.closeAllConnections();
      beacon.close();
    },
  });
  const link = await linkTo('l1-beacon', (beacon.address() as AddressInfo).port);
  const address = (path: string) => `http://${link.at}/eth/v1/${path}`;
  const get = async (path: string) => {
    // A change ends the connections that the client keeps.
    const { status, text } = await vi.waitFor(() => httpGet(address(path), { timeoutMs: 2000, maxBytes: 1000 }));
    return [status, JSON.parse(text)] as const;
  };
  link.fault({ method: 'blob_sidecars', answer: 'missing-blob' }, { method: 'genesis', answer: 'stale' });
  expect(await get('beacon/blob_sidecars/7?indices=0')).toEqual([200, { data: ['a'] }]);
  expect([await get('beacon/genesis'), await get('beacon/genesis')]).toEqual([
    [200, { data: 1 }],
    [200, { data: 1 }],
  ]);
  expect(await get('node/version')).toEqual([200, { data: 2 }]);
  link.fault({ method: 'blob_sidecars', answer: 'error' });
  expect(await get('beacon/blob_sidecars/7')).toMatchObject([500, { message: 'fault 0: blob_sidecars fails' }]);
  link.heal();
  expect(await get('beacon/blob_sidecars/7')).toEqual([200, { data: ['a', 'b'] }]);
});
