import { once } from 'node:events';
import { type ClientRequest, IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  connectionServer,
  end,
  type Handlers,
  openListener,
  type RunningServer,
  readBody,
} from '../../../src/rpc/server/listener.ts';
import { raw } from '../raw.ts';

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function start(handlers: Partial<Handlers> = {}, maxConnections?: number): Promise<RunningServer> {
  const server = await openListener(
    { host: '127.0.0.1', port: 0, ...(maxConnections === undefined ? {} : { maxConnections }) },
    { request: async (_, response) => end(response, 200, 'ü'), ...handlers },
  );
  open.push(server);
  return server;
}

/** Returns the whole answer to a WebSocket handshake that is refused, without its date. */
function handshake(port: number, path = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      ),
    );
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', reject).on('end', () => resolve(text.replace(/^Date: .*\r\n/m, '')));
  });
}

const refusal = (status: string, reason: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${reason.length + 1}\r\n` +
  `Connection: close\r\n\r\n${reason}\n`;
const upgrade: Handlers['upgrade'] = {
  maxPayload: 100,
  open: (_, __, refuse) => refuse({ status: 499, reason: 'later' }),
};

describe('a listener', () => {
  it.each<[string, Partial<Handlers>, string, string]>([
    ['404 when it serves none', {}, '/', refusal('404 Not Found', 'no WebSocket here')],
    ['400 to a malformed address', { upgrade }, 'http://[', refusal('400 Bad Request', 'malformed address')],
    ['the status of its handler', { upgrade }, '/', refusal('499 refused', 'later')],
  ])('answers a WebSocket with %s', async (_, handlers, path, expected) => {
    expect(await handshake((await start(handlers)).port, path)).toBe(expected);
  });

  it('counts its WebSockets, and ends them when it closes', async () => {
    const accepting: Handlers['upgrade'] = { maxPayload: 100, open: (_, accept) => accept(() => undefined) };
    const server = await start({ upgrade: accepting });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    expect(server.connections()).toBe(0);
    await once(socket, 'open');
    expect(server.connections()).toBe(1);
    const closed = once(socket, 'close');
    await server.close();
    await closed;
  });

  it('offers no compression of messages', async () => {
    const { port } = await start({ upgrade: { maxPayload: 100, open: (_, accept) => accept(() => {}) } });
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: true });
    await once(socket, 'open');
    expect(socket.extensions).toBe('');
    socket.terminate();
  });

  it('goes on when a caller resets its connection before the WebSocket opens', async () => {
    const asked = Promise.withResolvers<Socket>();
    const opening: NonNullable<Handlers['upgrade']>['open'] = ({ socket }) => asked.resolve(socket);
    const { port } = await start({ upgrade: { maxPayload: 100, open: opening } });
    const caller = new WebSocket(`ws://127.0.0.1:${port}`).on('error', () => {});
    const socket = await asked.promise;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    (caller as unknown as { _req: ClientRequest })._req.socket?.resetAndDestroy();
    await closed;
    expect(await raw(port)).toMatchObject({ status: 200 });
  });

  it('sends the bytes of a text as its length, and answers a malformed address with 400', async () => {
    const { port } = await start();
    expect(await raw(port)).toMatchObject({ status: 200, headers: { 'content-length': '2' }, body: 'ü' });
    expect(await raw(port, { path: 'http://[' })).toMatchObject({ status: 400, body: 'malformed address\n' });
  });

  it('refuses requests beyond its maximum until one ends', async () => {
    let release = () => {};
    let isFirst = true;
    const begun = Promise.withResolvers<void>();
    const server = await start(
      {
        async request(_, response) {
          if (!isFirst) return end(response, 200, 'second');
          isFirst = false;
          begun.resolve();
          await new Promise<void>((resolve) => (release = resolve));
          end(response, 200, 'first');
        },
      },
      1,
    );
    const first = raw(server.port);
    await begun.promise;
    const refused = { status: 429, body: 'Too many connections. Please try again later.' };
    for (const _ of [1, 2]) expect(await raw(server.port)).toMatchObject(refused);
    expect(await handshake(server.port)).toBe(refusal('404 Not Found', 'no WebSocket here'));
    release();
    expect(await first).toMatchObject({ body: 'first' });
    await expect.poll(async () => (await raw(server.port)).body).toBe('second');
  });

  it('sends a text that comes in parts with the length of all', async () => {
    const parts = ['a', Buffer.from('ü'), '😀'];
    const { port } = await start({
      request: async ({ url }, response) => end(response, 200, url === '/' ? parts : '😀'),
    });
    expect(await raw(port)).toMatchObject({ headers: { 'content-length': '7' }, body: 'aü😀' });
    expect(await raw(port, { path: '/one' })).toMatchObject({ headers: { 'content-length': '4' }, body: '😀' });
  });

  it('counts its WebSockets among the connections that it refuses beyond its maximum', async () => {
    const accepting: Handlers['upgrade'] = { maxPayload: 100, open: (_, accept) => accept(() => undefined) };
    const { port } = await start({ upgrade: accepting }, 1);
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(socket, 'open');
    expect(await raw(port)).toMatchObject({ status: 429 });
    expect(await handshake(port)).toContain('HTTP/1.1 429 Too Many Requests\r\n');
    socket.terminate();
    await expect.poll(async () => (await raw(port)).status).toBe(200);
  });

  it('serves the connections of another listener', async () => {
    const accept = connectionServer({}, { request: async (_, response) => end(response, 200, 'served') });
    const server = createServer(accept).listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await raw((server.address() as AddressInfo).port)).toMatchObject({ status: 200, body: 'served' });
    server.close();
  });

  it('tells a caller that it keeps the connection for 30 seconds', async () => {
    const { headers } = await raw((await start()).port, { headers: { connection: 'keep-alive' } });
    expect([headers['connection'], headers['keep-alive']]).toEqual(['keep-alive', 'timeout=30']);
  });

  it('ends a request whose headers do not come within their limit', async () => {
    const handlers: Handlers = { request: async (_, response) => end(response, 200) };
    const ends = [2000, 50].map(async (headers) => {
      const patience = { headers, request: 60_000 };
      const server = await openListener({ host: '127.0.0.1', port: 0, patience }, handlers);
      open.push(server);
      const socket = connect(server.port, '127.0.0.1', () => socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nX-'));
      const [answer] = await once(socket, 'data');
      return `${headers}: ${String(answer).split('\r\n')[0]}`;
    });
    expect(await Promise.race(ends)).toBe('50: HTTP/1.1 408 Request Timeout');
  });

  it('ends the connection of a request whose handler fails', async () => {
    const server = await start({ request: () => Promise.reject(new Error('a defect')) });
    await expect(raw(server.port)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('ends the connections of requests when it closes', async () => {
    const begun = Promise.withResolvers<void>();
    const server = await start({ request: async () => begun.resolve() });
    const answer = expect(raw(server.port)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await begun.promise;
    await server.close();
    await answer;
  });

  it('fails with the error of the system when its port is taken', async () => {
    const { port } = await start();
    const second = openListener({ host: '127.0.0.1', port }, { request: async () => {} });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the body of a request', () => {
  const message = (parts: readonly string[], headers: Readonly<Record<string, string>> = {}) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { headers });
    for (const part of [...parts.map((text) => Buffer.from(text)), null]) request.push(part);
    return request;
  };

  it.each<[string, IncomingMessage, string | undefined]>([
    ['is empty without a part', message([]), ''],
    ['is its one part', message(['abc']), 'abc'],
    ['is all its parts', message(['ab', 'c']), 'abc'],
    ['is absent over the limit', message(['ab', 'cd']), undefined],
    ['is absent when its length is over the limit', message(['a'], { 'content-length': '4' }), undefined],
    ['is read when its length is the limit', message(['abc'], { 'content-length': '3' }), 'abc'],
  ])('%s', async (_, request, expected) => {
    expect((await readBody(request, 3))?.toString()).toBe(expected);
  });

  it('is not read on when it exceeds the limit', async () => {
    const request = message(['abcd', 'e', 'f']);
    expect(await readBody(request, 3)).toBe(undefined);
    expect(request.isPaused()).toBe(true);
  });

  it('is an error when the connection ends first', async () => {
    const request = new IncomingMessage(new Socket());
    const body = readBody(request, 3);
    request.destroy(new Error('gone'));
    await expect(body).rejects.toThrow('gone');
  });
});
