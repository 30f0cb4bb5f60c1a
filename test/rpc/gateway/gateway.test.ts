import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type InterceptorOptions, interceptor, serveGateway } from '../../../src/rpc/gateway/gateway.ts';
import { recording } from '../client/server.ts';
import { raw } from '../raw.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

/** A gateway to a target that answers each body with itself, and the bodies that it received. */
async function serve(more: Partial<InterceptorOptions> = {}) {
  const target = await recording((body, response) => response.end(body));
  const options = {
    target: target.url,
    targetName: 'L1',
    methods: { own_it: () => 1 },
    isRead: () => false,
    maxBody: 1000,
    maxHeld: 1500,
    ...more,
  };
  const gateway = await serveGateway({ host: '127.0.0.1', port: 0, ...options });
  open.push({ close: () => target[Symbol.asyncDispose]() }, gateway);
  return { options, gateway, port: gateway.port, target };
}

/** A gateway whose target may answer once it is released. */
async function waiting() {
  const released = Promise.withResolvers<void>();
  let count = 0;
  const { port } = await serve({
    waiting() {
      count++;
      return released.promise;
    },
  });
  return { port, waited: () => count, release: () => released.resolve() };
}

describe('a body', () => {
  it.each([
    ['of the limit', 1000, { 'content-length': '1000' }, 200],
    ['over the limit', 1001, { 'content-length': '1001' }, 413],
    ['over the limit, of unknown length', 1001, { 'transfer-encoding': 'chunked' }, 413],
    ['over the limit of all bodies, which counts as one of the limit', 2000, { 'content-length': '2000' }, 413],
  ])('%s has its status, and without an answer the connection ends', async (_, size, headers, status) => {
    const { port } = await serve();
    const answer = await raw(port, { body: 'x'.repeat(size), headers: { connection: 'keep-alive', ...headers } });
    const connection = status === 200 ? 'keep-alive' : 'close';
    expect([answer.status, answer.headers['connection']]).toEqual([status, connection]);
    expect(answer.body).toBe(status === 200 ? 'x'.repeat(size) : 'request body over 1000 bytes\n');
  });

  it('is served as long as all bodies together are of the limit, and refused beyond it', async () => {
    const { port, waited, release } = await waiting();
    const served = [1000, 400, 100].map((size) => raw(port, { body: 'x'.repeat(size) }));
    const empty = raw(port, { method: 'GET' });
    await expect.poll(waited).toBe(4);
    const refused = await raw(port, { body: 'x', headers: { connection: 'keep-alive' } });
    expect(refused).toMatchObject({ status: 503, body: 'too many large requests at once: send it again later\n' });
    expect(refused.headers['connection']).toBe('close');
    release();
    for (const { status } of await Promise.all([...served, empty])) expect(status).toBe(200);
    expect(await raw(port, { body: 'x'.repeat(1000) })).toMatchObject({ status: 200 });
  });

  it('of unknown length counts as one of the limit', async () => {
    const { port, waited, release } = await waiting();
    const chunked = raw(port, { body: 'x', headers: { 'transfer-encoding': 'chunked' } });
    await expect.poll(waited).toBe(1);
    expect(await raw(port, { body: 'x'.repeat(501) })).toMatchObject({ status: 503 });
    const other = raw(port, { body: 'x'.repeat(500) });
    await expect.poll(waited).toBe(2);
    release();
    for (const { status } of await Promise.all([chunked, other])) expect(status).toBe(200);
  });
});

describe('a gateway', () => {
  it('passes no request on before the waiting ends', async () => {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { port, target } = await serve({
      waiting: () => {
        begun.resolve();
        return released.promise;
      },
    });
    const answer = raw(port, { body: 'late' });
    await begun.promise;
    expect(target.requests).toEqual([]);
    released.resolve();
    expect((await answer).body).toBe('late');
  });

  it('answers its own methods as JSON, and their notifications with nothing', async () => {
    const { port, target } = await serve();
    const answer = await raw(port, { body: '{"jsonrpc":"2.0","id":1,"method":"own_it"}' });
    expect(answer).toMatchObject({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":1}' });
    expect(answer.headers['content-type']).toBe('application/json');
    const none = await raw(port, { body: '{"jsonrpc":"2.0","method":"own_it"}' });
    expect([none.status, none.body, none.headers['content-type']]).toEqual([204, '', undefined]);
    expect(target.requests).toEqual([]);
  });

  it('has no connection to its target after it closes, and no port', async () => {
    const { gateway, port, target } = await serve();
    await raw(port, { body: 'x' });
    expect(await target.connections()).toBe(1);
    await gateway.close();
    await expect.poll(() => target.connections()).toBe(0);
    await expect(raw(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('an interceptor', () => {
  it('serves the connections of another listener, over HTTP and WebSocket, and closes its own', async () => {
    const { options, target } = await serve();
    const { accept, close } = interceptor(options);
    const server = createServer(accept).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => server.close() });
    const { port } = server.address() as AddressInfo;
    expect(await raw(port, { body: 'x' })).toMatchObject({ status: 200, body: 'x' });
    expect(await raw(port, { body: 'x', headers: { host: 'evil.example' } })).toMatchObject({ status: 403 });
    const [error] = await once(new WebSocket(`ws://127.0.0.1:${port}`), 'error');
    expect(String(error)).toContain('502');
    close();
    await expect.poll(() => target.connections()).toBe(0);
  });

  it('limits the messages of a WebSocket to the bytes of a body', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    const { port } = await serve({ target: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}` });
    open.push({ close: () => sockets.close() });
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(socket, 'open');
    socket.send('x'.repeat(1000));
    expect(String((await once(socket, 'message'))[0])).toHaveLength(1000);
    socket.send('x'.repeat(1001));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });
});
