import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { RpcError } from '../../../src/rpc/error.ts';
import { type Call, method } from '../../../src/rpc/method.ts';
import { STANDARD_ENVELOPE } from '../../../src/rpc/server/envelope.ts';
import { type RunningServer, type ServerOptions, serve } from '../../../src/rpc/server/server.ts';
import { raw } from '../raw.ts';

const open: { close(): unknown }[] = [];
const calls: Call[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
  calls.length = 0;
});

const methods = {
  test_call: method('keeps its call', z.tuple([]), (_, __, call) => {
    calls.push(call);
    return [call.transport, call.from, call.notify === undefined];
  }),
  test_length: method('measures a text', z.tuple([z.string()]), (_, [text]) => text.length),
  test_wait: method('waits for the end of its connection', z.tuple([]), (_, __, call) => {
    calls.push(call);
    return new Promise<void>((resolve) => call.closed.addEventListener('abort', () => resolve()));
  }),
};

async function start(options: Partial<ServerOptions<object>> = {}): Promise<RunningServer> {
  const server = await serve({
    methods,
    context: {},
    host: '127.0.0.1',
    port: 0,
    http: true,
    websocket: true,
    ...options,
  });
  open.push(server);
  return server;
}

async function dial(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  open.push({ close: () => socket.terminate() });
  await once(socket, 'open');
  const next = async () => JSON.parse(String((await once(socket, 'message'))[0])) as unknown;
  return { socket, next };
}

const text = (name: string, params: readonly unknown[] = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params });
const notification = '{"jsonrpc":"2.0","method":"test_call"}';
const body = text('test_call');
const json = { 'content-type': 'application/json' };
const tooLarge = {
  ...STANDARD_ENVELOPE,
  bodyTooLarge: (limit: number) => new RpcError(-32_007, `over ${limit}`),
};
const tooLargeError = { jsonrpc: '2.0', id: null, error: { code: -32_007, message: 'over 100' } };

describe('HTTP', () => {
  it('passes the address of the caller to a method, and no way to notify', async () => {
    const answer = await raw((await start()).port, { body });
    expect(answer).toMatchObject({ status: 200, headers: json });
    expect(JSON.parse(answer.body)).toEqual({ jsonrpc: '2.0', id: 1, result: ['http', '127.0.0.1', true] });
    expect(calls[0]!.closed.aborted).toBe(false);
  });

  it('answers GET as its envelope says: by default with nothing', async () => {
    const { port } = await start();
    expect(await raw(port, { method: 'GET' })).toMatchObject({ status: 200, body: '' });
    const other = await start({ envelope: { ...STANDARD_ENVELOPE, get: { status: 405, body: 'no' } } });
    expect(await raw(other.port, { method: 'GET' })).toMatchObject({ status: 405, body: 'no' });
  });

  it('leaves to its route the requests that it takes', async () => {
    const { port } = await start({
      route({ url }, response) {
        if (url === '/own') setImmediate(() => response.writeHead(418).end('own'));
        return url === '/own';
      },
    });
    for (const method of ['GET', 'POST'])
      expect(await raw(port, { method, path: '/own' })).toMatchObject({ status: 418, body: 'own' });
    expect(await raw(port, { body })).toMatchObject({ status: 200, headers: json });
  });

  it.each([
    ['application/json', 200],
    ['application/json-rpc; charset=utf-8', 200],
    ['Application/JsonRequest', 200],
    ['x-application/json', 415],
    ['application/jsonp', 415],
    ['text/plain', 415],
  ])('answers a body of the type %s with %i', async (type, status) => {
    expect((await raw((await start()).port, { body, headers: { 'content-type': type } })).status).toBe(status);
  });

  it('answers a notification with nothing, PUT with 405, and all with 404 if it serves WebSocket alone', async () => {
    const { port } = await start();
    const answer = await raw(port, { body: notification });
    expect([answer.status, answer.body, answer.headers['content-type']]).toEqual([200, '', undefined]);
    expect(await raw(port, { method: 'PUT', body })).toMatchObject({ status: 405, body: 'method not allowed\n' });
    const other = await start({ http: false });
    expect(await raw(other.port, { body })).toMatchObject({ status: 404, body: 'no HTTP here\n' });
  });

  it.each([
    [STANDARD_ENVELOPE, undefined, 'request body over 100 bytes\n'],
    [tooLarge, 'application/json', JSON.stringify(tooLargeError)],
  ])('answers a body over the limit as its envelope says, and ends the connection', async (envelope, type, words) => {
    const answer = await raw((await start({ maxBody: 100, envelope })).port, { body: ' '.repeat(101) });
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([413, type, words]);
    expect(answer.headers['connection']).toBe('close');
  });

  it('tells a method that its connection has closed', async () => {
    const { port } = await start();
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: json });
    sent.on('error', () => {});
    sent.end(text('test_wait'));
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]!.closed.aborted).toBe(false);
    sent.destroy();
    await expect.poll(() => calls[0]!.closed.aborted).toBe(true);
  });
});

describe('WebSocket', () => {
  it('passes the address of the caller to a method, and a way to notify until it closes', async () => {
    const { socket, next } = await dial((await start()).port);
    socket.send(body);
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: ['websocket', '127.0.0.1', false] });
    const message = next();
    expect(calls[0]!.notify!('test', { a: 1 })).toBe(true);
    expect(await message).toEqual({ jsonrpc: '2.0', method: 'test', params: { a: 1 } });
    socket.terminate();
    await expect.poll(() => calls[0]!.closed.aborted).toBe(true);
    expect(calls[0]!.notify!('test', {})).toBe(false);
  });

  it('does not answer a notification', async () => {
    const { socket, next } = await dial((await start()).port);
    socket.send(notification);
    socket.send(text('test_length', ['ab']));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: 2 });
  });

  it('serves methods of its own', async () => {
    const { socket, next } = await dial((await start({ websocketMethods: {} })).port);
    socket.send(body);
    expect(await next()).toMatchObject({ error: { code: -32_601 } });
  });

  it('serves messages of 15 MB when bodies have a lower limit', async () => {
    const { socket, next } = await dial((await start({ maxBody: 100 })).port);
    socket.send(text('test_length', ['x'.repeat(15_000_000)]));
    expect(await next()).toMatchObject({ result: 15_000_000 });
  });

  it('ends at a message over the limit when its envelope has no error for it', async () => {
    const { socket, next } = await dial((await start({ maxMessage: 100 })).port);
    const base = text('test_length', ['']).length;
    socket.send(text('test_length', ['x'.repeat(100 - base)]));
    expect(await next()).toMatchObject({ result: 100 - base });
    socket.send(' '.repeat(101));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  it('answers a message over the limit with the error of its envelope, up to twice the limit', async () => {
    const { socket, next } = await dial((await start({ maxMessage: 100, envelope: tooLarge })).port);
    const base = text('test_length', ['']).length;
    socket.send(text('test_length', ['x'.repeat(100 - base)]));
    expect(await next()).toMatchObject({ result: 100 - base });
    for (const size of [101, 200]) {
      socket.send(text('test_length', ['x'.repeat(size - base)]));
      expect(await next()).toEqual(tooLargeError);
    }
    socket.send(' '.repeat(201));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });
});
