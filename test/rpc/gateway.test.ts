import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { RpcError } from '../../src/rpc/error.ts';
import { serveGateway } from '../../src/rpc/gateway/gateway.ts';
import type { GatewayOptions } from '../../src/rpc/gateway/relay.ts';
import { raw, upgrade } from './raw.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

interface Behind {
  readonly port: number;
  readonly server: Server;
  /** Requests received over HTTP. */
  readonly requests: { request: IncomingMessage; body: string }[];
  /** Messages received over WebSockets. */
  readonly messages: string[];
  readonly sockets: WebSocketServer;
}

/** A server that echoes requests byte for byte over HTTP and WebSocket. */
async function behind(): Promise<Behind> {
  const requests: Behind['requests'] = [];
  const messages: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      requests.push({ request, body });
      response.writeHead(body.includes('teapot') ? 418 : 200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'x-behind': 'yes',
      });
      response.end(body);
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer, binary) => {
      messages.push(data.toString('utf8'));
      socket.send(data, { binary });
    }),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push({
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, server, requests, messages, sockets };
}

/** A server that executes each request, answers the first one of a connection, and closes at the second. */
async function breaking(): Promise<{ readonly port: number; readonly executed: string[] }> {
  const executed: string[] = [];
  const connections = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      executed.push(body);
      if (connections.has(request.socket)) request.socket.resetAndDestroy();
      else response.end('{}');
      connections.add(request.socket);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push({ close: () => server.close().closeAllConnections() });
  return { port: (server.address() as AddressInfo).port, executed };
}

async function gateway(target: number, options: Partial<GatewayOptions> = {}): Promise<number> {
  const server = await serveGateway({
    host: '127.0.0.1',
    port: 0,
    target: `http://127.0.0.1:${target}`,
    targetName: 'L1',
    methods: {},
    isRead: (method) => method.startsWith('get_'),
    maxBody: 8 * 1024 * 1024,
    maxHeld: 16 * 1024 * 1024,
    ...options,
  });
  open.push(server);
  return server.port;
}

async function socketTo(port: number, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers });
  open.push({ close: () => socket.terminate() });
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  return socket;
}

const next = (socket: WebSocket) =>
  new Promise<{ text: string; binary: boolean }>((resolve) =>
    socket.once('message', (data, binary) => resolve({ text: String(data), binary })),
  );

describe('a gateway without methods of its own', () => {
  it('passes any request and answer on byte for byte', async () => {
    const { port: target, requests } = await behind();
    const port = await gateway(target);
    for (const body of [
      '{"a": 1,  "b":[ ]}',
      '[{},{}]',
      'no JSON',
      '{"method":"teapot"}',
      '',
      '{"x":1e400,"y":"\\u005f"}',
    ]) {
      const answer = await raw(port, { body, path: '/some?x=1', headers: { 'x-own': 'kept' } });
      expect([answer.status, answer.body, answer.headers['x-behind']]).toEqual([
        body.includes('teapot') ? 418 : 200,
        body,
        'yes',
      ]);
      const { request, body: received } = requests.at(-1)!;
      expect([request.method, request.url, request.headers['x-own'], received]).toEqual([
        'POST',
        '/some?x=1',
        'kept',
        body,
      ]);
    }
    expect((await raw(port, { method: 'PUT', body: 'x' })).body).toBe('x');
    expect((await raw(port, { method: 'GET' })).status).toBe(200);
  });

  it('sets the CORS headers itself, and refuses pages that it does not serve', async () => {
    const { port: target, requests } = await behind();
    const port = await gateway(target);
    const origin = 'http://localhost:3000';
    const answer = await raw(port, { body: '{}', headers: { origin } });
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(requests.at(-1)!.request.headers).toMatchObject({ host: `127.0.0.1:${target}` });
    expect(requests.at(-1)!.request.headers.origin).toBeUndefined();
    expect((await raw(port, { method: 'OPTIONS', headers: { origin } })).status).toBe(204);
    const before = requests.length;
    expect((await raw(port, { body: '{}', headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await raw(port, { body: '{}', headers: { host: 'evil.example' } })).status).toBe(403);
    expect(await upgrade(port, { Origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade(port, { Host: 'evil.example' })).toBe(403);
    expect(requests.length).toBe(before);
  });

  it('relays WebSocket messages in order: text, binary, many at once', async () => {
    const { port: target, sockets } = await behind();
    const socket = await socketTo(await gateway(target), { origin: 'http://localhost:3000' });
    socket.send('{"a": 1}');
    expect(await next(socket)).toEqual({ text: '{"a": 1}', binary: false });
    socket.send(Buffer.from([1, 2, 3]));
    expect((await next(socket)).binary).toBe(true);
    const got: string[] = [];
    socket.on('message', (data) => got.push(String(data)));
    const sent = Array.from({ length: 500 }, (_, at) => `${at} ${'x'.repeat(at * 20)}`);
    for (const text of sent) socket.send(text);
    await expect.poll(() => got.length).toBe(500);
    expect(got).toEqual(sent);
    for (const far of sockets.clients) far.send('unasked');
    await expect.poll(() => got.at(-1)).toBe('unasked');
  });

  it('closes one WebSocket when the other closes', async () => {
    const { port: target, sockets } = await behind();
    const port = await gateway(target);
    const first = await socketTo(port);
    first.terminate();
    await expect.poll(() => sockets.clients.size).toBe(0);
    const second = await socketTo(port);
    const closed = new Promise((resolve) => second.once('close', (code, reason) => resolve([code, String(reason)])));
    for (const far of sockets.clients) far.terminate();
    expect(await closed).toEqual([1001, 'L1 ended the connection']);
  });

  it('passes large bodies and answers on, and refuses bodies over its limit', async () => {
    const { port: target } = await behind();
    const port = await gateway(target);
    const body = `"${'x'.repeat(6 * 1024 * 1024)}"`;
    expect((await raw(port, { body })).body).toBe(body);
    expect((await raw(port, { body, headers: { 'transfer-encoding': 'chunked' } })).body.length).toBe(body.length);
    const socket = await socketTo(port);
    socket.send(body);
    expect((await next(socket)).text).toBe(body);
    const over = 'x'.repeat(9 * 1024 * 1024);
    expect(
      (
        await raw(port, { body: over, headers: { 'content-length': String(over.length) } }).catch(() => ({
          status: 413,
        }))
      ).status,
    ).toBe(413);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(over);
    expect(await closed).toBe(1009);
    expect((await raw(port, { body: '{}' })).status).toBe(200);
  });

  it('refuses a body over its memory limit, and serves it later', async () => {
    const { port: target } = await behind();
    const port = await gateway(target, { maxBody: 1000, maxHeld: 1500 });
    const slow = connect(port, '127.0.0.1');
    open.push({ close: () => slow.destroy() });
    let answered = '';
    slow.on('data', (part) => (answered += part));
    // Of unknown length: it counts as the largest.
    slow.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
    await expect.poll(async () => (await raw(port, { body: 'x'.repeat(900) })).status).toBe(503);
    expect((await raw(port, { body: 'x'.repeat(400) })).status).toBe(200);
    slow.write('0\r\n\r\n');
    await expect.poll(() => answered).toContain('200 OK');
    await expect.poll(async () => (await raw(port, { body: 'x'.repeat(900) })).status).toBe(200);
  });

  it('answers 502 and names L1 while L1 is down, and serves again afterwards', async () => {
    const first = await behind();
    const port = await gateway(first.port);
    expect((await raw(port, { body: '{}' })).status).toBe(200);
    const socket = await socketTo(port);
    const closing = new Promise((resolve) => socket.once('close', resolve));
    for (const far of first.sockets.clients) far.terminate();
    first.server.closeAllConnections();
    await new Promise((closed) => first.server.close(closed));
    await closing;
    const answer = await raw(port, { body: '{}' });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      502,
      { jsonrpc: '2.0', id: null, error: { message: expect.stringContaining('L1 does not answer (ECONNREFUSED)') } },
    ]);
    expect(await upgrade(port)).toBe(502);
    await new Promise<void>((listening) => first.server.listen(first.port, '127.0.0.1', listening));
    expect((await raw(port, { body: '{}' })).status).toBe(200);
  });

  it.each([
    ['a read', '{"method":"get_it"}', 200, 2],
    ['a batch of reads', '[{"method":"get_it"},{"method":"get_more"}]', 200, 2],
    ['a write', '{"method":"send_it"}', 502, 1],
    ['a batch with a write', '[{"method":"get_it"},{"method":"send_it"}]', 502, 1],
    ['an empty batch', '[]', 502, 1],
    ['a request without a method', '{"id":1}', 502, 1],
    ['no JSON', 'get_it', 502, 1],
  ])('sends %s again after a kept connection broke only when it is safe', async (_, body, status, times) => {
    const target = await breaking();
    const port = await gateway(target.port);
    expect((await raw(port, { body: 'first' })).status).toBe(200);
    const answer = await raw(port, { body });
    expect([answer.status, target.executed]).toEqual([status, ['first', ...Array(times).fill(body)]]);
    if (status === 502) expect(JSON.parse(answer.body).error.message).toContain('The request may have been executed');
  });

  it('aborts the request to the server when the caller disconnects', async () => {
    const waiting: IncomingMessage[] = [];
    const server = createServer((request) => void waiting.push(request));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    open.push({ close: () => server.close().closeAllConnections() });
    const port = await gateway((server.address() as AddressInfo).port);
    const aborted = new AbortController();
    const answer = fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}', signal: aborted.signal });
    await expect.poll(() => waiting.length).toBe(1);
    const closing = new Promise((resolve) => waiting[0]!.once('close', resolve));
    aborted.abort();
    await answer.catch(() => {});
    await closing;
  });
});

describe('methods of a gateway', () => {
  const methods: GatewayOptions['methods'] = {
    own_add: ({ params }) => (params as number[]).reduce((sum, value) => sum + value, 0),
    own_refused: () => {
      throw new RpcError(-32601, 'own_refused is not for this network: use `devnet warp`');
    },
    own_defect: () => {
      throw new TypeError('a defect');
    },
    own_none: () => undefined,
  };
  const request = (id: unknown, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params });

  it('answer in place of the server behind, which gets only the other requests', async () => {
    const { port: target, requests } = await behind();
    const port = await gateway(target, { methods });
    const ask = async (body: unknown) => JSON.parse((await raw(port, { body: JSON.stringify(body) })).body);
    expect(await ask(request(1, 'own_add', [2, 3]))).toEqual({ jsonrpc: '2.0', id: 1, result: 5 });
    expect(await ask(request(2, 'own_none'))).toEqual({ jsonrpc: '2.0', id: 2, result: null });
    expect(await ask(request('x', 'own_refused'))).toMatchObject({ id: 'x', error: { code: -32601 } });
    expect(await ask(request(3, 'own_defect'))).toMatchObject({ id: 3, error: { code: -32603, message: 'a defect' } });
    expect(requests).toEqual([]);
    const other = '{ "method" : "eth_other", "id":1 }';
    expect((await raw(port, { body: other })).body).toBe(other);
    expect((await raw(port, { body: '{"method":"toString"}' })).body).toBe('{"method":"toString"}');
    expect(requests.length).toBe(2);
  });

  it('are found in batches, in spellings with escapes, and over WebSocket', async () => {
    const { port: target, requests, messages } = await behind();
    const port = await gateway(target, { methods });
    const batch = [request(1, 'eth_other'), request(2, 'own_add', [1]), request(3, 'own_refused')];
    expect(JSON.parse((await raw(port, { body: JSON.stringify(batch) })).body)).toEqual([
      batch[0],
      { jsonrpc: '2.0', id: 2, result: 1 },
      { jsonrpc: '2.0', id: 3, error: { code: -32601, message: expect.any(String) } },
    ]);
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([batch[0]]);
    const untouched = '[ {"method":"eth_a","id":1},{"method":"eth_b","id":2} ]';
    expect((await raw(port, { body: untouched })).body).toBe(untouched);
    const escaped = '{"jsonrpc":"2.0","id":9,"method":"own\\u005frefused"}';
    expect(JSON.parse((await raw(port, { body: escaped })).body).error.code).toBe(-32601);
    const socket = await socketTo(port);
    socket.send(JSON.stringify(request(4, 'own_add', [4])));
    expect(JSON.parse((await next(socket)).text).result).toBe(4);
    socket.send('{"method":"eth_c"}');
    expect((await next(socket)).text).toBe('{"method":"eth_c"}');
    expect(messages).toEqual(['{"method":"eth_c"}']);
  });

  it('answer no body that is not JSON by its type, which the server behind gets', async () => {
    const { port: target, requests } = await behind();
    const port = await gateway(target, { methods });
    const body = JSON.stringify(request(1, 'own_add', [2, 3]));
    const answer = await raw(port, { body, headers: { 'content-type': 'text/plain' } });
    expect(answer.body).toBe(body);
    expect(requests.length).toBe(1);
  });

  it('answer no notification', async () => {
    const { port: target } = await behind();
    const port = await gateway(target, { methods });
    const answer = await raw(port, { body: '{"jsonrpc":"2.0","method":"own_add","params":[1]}' });
    expect([answer.status, answer.body]).toEqual([204, '']);
  });
});
