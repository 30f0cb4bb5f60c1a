import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { RpcError } from '../../../src/rpc/error.ts';
import { silence, type Upstream, upstream } from '../../../src/rpc/gateway/upstream.ts';
import { recording } from '../client/server.ts';
import { raw } from '../raw.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

const isRead = (method: string) => method.startsWith('get_');
const request = (headers: IncomingMessage['headers'] = {}) => ({ headers }) as IncomingMessage;

/** Serves requests by the listener, and returns the port. */
async function served(listener: (request: IncomingMessage, response: ServerResponse) => unknown, host = '127.0.0.1') {
  const server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  open.push({ close: () => server.close().closeAllConnections() });
  return (server.address() as AddressInfo).port;
}

/** A port whose requests are forwarded to the target. */
async function forwarding(url: string) {
  const target = upstream(url, 'L1', isRead);
  open.push(target);
  const port = await served(async (asked, response) => target.forward(asked, await buffer(asked), response));
  return { port, target };
}

async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => server.close() });
  return (server.address() as AddressInfo).port;
}

/** Headers of both ends whose names are like those that a gateway takes away. */
const LIKE_OTHERS = {
  ...{ 'x-connection': 'kept', 'connection-x': 'kept', 'x-te': 'kept', text: 'kept', 'x-proxy-a': 'kept' },
  ...{ 'x-host': 'kept', hostname: 'kept', 'x-origin': 'kept', 'x-sec-a': 'kept', expected: 'kept' },
};

describe('a forwarded request', () => {
  it('keeps what belongs to both ends, and loses what belongs to one connection or to the sender’s page', async () => {
    await using server = await recording((_, response) => response.end('{}'));
    const { port } = await forwarding(server.url);
    const headers = {
      'x-own': 'kept',
      authorization: 'Bearer x',
      te: 'trailers',
      trailer: 'x',
      'keep-alive': 'timeout=5',
      'proxy-authorization': 'x',
      origin: 'http://localhost',
      referer: 'http://localhost/x',
      'sec-fetch-site': 'same-origin',
      connection: 'close',
      ...LIKE_OTHERS,
    };
    await raw(port, { headers, body: 'ü' });
    await raw(port, { method: 'GET' });
    await raw(port, { method: 'GET', headers: { 'content-length': '1' }, body: 'x' });
    expect(server.requests.map(({ body }) => body)).toEqual(['ü', '', 'x']);
    expect(server.requests.map(({ headers: received }) => received)).toEqual([
      {
        'x-own': 'kept',
        ...LIKE_OTHERS,
        authorization: 'Bearer x',
        'content-type': 'application/json',
        'content-length': '2',
        host: server.url.slice('http://'.length),
        connection: 'keep-alive',
      },
      {
        'content-type': 'application/json',
        host: server.url.slice('http://'.length),
        connection: 'keep-alive',
      },
      {
        'content-type': 'application/json',
        'content-length': '1',
        host: server.url.slice('http://'.length),
        connection: 'keep-alive',
      },
    ]);
  });

  it.each([
    ['http://HOST', '/a?b=1', '/a?b=1'],
    ['http://HOST/', '/', '/'],
    ['http://HOST/base', '/a', '/base/a'],
    ['http://HOST/base/', '/', '/base/'],
    ['ws://HOST/base', '/a', '/base/a'],
    ['http://HOST/ws', '/a', '/ws/a'],
  ])('to the target %s has for the path %s the path %s', async (url, path, expected) => {
    const target = await served(({ url: received }, response) => response.end(received));
    const { port } = await forwarding(url.replace('HOST', `127.0.0.1:${target}`));
    expect((await raw(port, { path })).body).toBe(expected);
  });

  it('reaches a target by its IPv6 address', async () => {
    const target = await served((_, response) => response.end('six'), '::1');
    expect((await raw((await forwarding(`http://[::1]:${target}`)).port)).body).toBe('six');
  });

  it('reaches a target over TLS by https alone, whose certificate is checked', async () => {
    const pem = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'tls', name));
    const server = createTlsServer({ cert: pem('server.crt'), key: pem('server.key') }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => server.close().closeAllConnections() });
    const { port } = await forwarding(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect((await raw(port)).body).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT/);
  });

  it('has the answer of the target without the headers that the gateway sets itself', async () => {
    const target = await served((_, response) =>
      response
        .writeHead(418, {
          'x-own': 'kept',
          'x-vary': 'kept',
          'vary-x': 'kept',
          'x-access-control-a': 'kept',
          vary: 'x',
          'access-control-allow-origin': '*',
          'proxy-authenticate': 'x',
          'content-length': '2',
        })
        .end('no'),
    );
    const { status, headers, body } = await raw((await forwarding(`http://127.0.0.1:${target}`)).port);
    expect([status, body, Object.keys(headers).toSorted()]).toEqual([
      418,
      'no',
      ['connection', 'content-length', 'date', 'vary-x', 'x-access-control-a', 'x-own', 'x-vary'],
    ]);
  });

  it.each([
    ['ends', (socket: Socket) => socket.destroySoon()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('ends without an end when the target %s the connection within its answer', async (_, breakOff) => {
    const begun = Promise.withResolvers<Socket>();
    const target = await served(({ socket }, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => begun.resolve(socket));
    });
    const { port } = await forwarding(`http://127.0.0.1:${target}`);
    const answer = await fetch(`http://127.0.0.1:${port}`);
    breakOff(await begun.promise);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('waits for no answer when its caller is gone before it is sent', async () => {
    await using server = await recording((_, response) => response.end('{}'));
    const target = upstream(server.url, 'L1', isRead);
    open.push(target);
    const gone = { destroyed: true } as ServerResponse;
    await target.forward(request(), Buffer.from(''), gone);
    expect(server.requests).toEqual([]);
  });

  it('is given up when its caller leaves before the target answers', async () => {
    const begun = Promise.withResolvers<Socket>();
    const target = await served(({ socket }) => begun.resolve(socket));
    const behind = upstream(`http://127.0.0.1:${target}`, 'L1', isRead);
    open.push(behind);
    const forwarded = Promise.withResolvers<void>();
    const port = await served((asked, response) => {
      void behind.forward(asked, Buffer.from('{}'), response).then(forwarded.resolve);
    });
    const abort = new AbortController();
    const answer = fetch(`http://127.0.0.1:${port}`, { signal: abort.signal }).catch(() => undefined);
    const closed = once(await begun.promise, 'close');
    abort.abort();
    await Promise.all([answer, closed, forwarded.promise]);
  });

  it('is not sent again when its caller leaves, also on a kept connection', async () => {
    const asked: string[] = [];
    const begun = Promise.withResolvers<Socket>();
    const target = await served((received, response) => {
      asked.push(received.url ?? '');
      if (received.url === '/wait') begun.resolve(received.socket);
      else response.end('done');
    });
    const { port } = await forwarding(`http://127.0.0.1:${target}`);
    const body = '{"method":"get_it"}';
    await raw(port, { body, path: '/first' });
    const abort = new AbortController();
    const url = `http://127.0.0.1:${port}/wait`;
    const answer = fetch(url, { method: 'POST', body, signal: abort.signal }).catch(() => undefined);
    const closed = once(await begun.promise, 'close');
    abort.abort();
    await Promise.all([answer, closed]);
    await raw(port, { body, path: '/last' });
    expect(asked).toEqual(['/first', '/wait', '/last']);
  });

  it.each([
    ['a connection that is refused', undefined, 'ECONNREFUSED', false],
    ['a connection that is reset', (socket: Socket) => socket.resetAndDestroy(), 'ECONNRESET', true],
  ])('over %s is answered with 502, and whether it may have been executed', async (_, accept, code, isDoubtful) => {
    const server = createTcpServer((socket) => socket.once('data', () => accept?.(socket)));
    const port = await listening(server);
    if (accept === undefined) await new Promise((closed) => server.close(closed));
    // A request that changes nothing is not sent again either: no kept connection broke.
    const asked = { body: '{"method":"get_it"}' };
    const { status, headers, body } = await raw((await forwarding(`http://127.0.0.1:${port}`)).port, asked);
    const doubt = isDoubtful ? '. The request may have been executed' : '';
    const message = `L1 does not answer (${code}): it is starting, or has ended; \`devnet status\` tells${doubt}`;
    expect([status, headers['content-type'], JSON.parse(body)]).toEqual([
      502,
      'application/json',
      { jsonrpc: '2.0', id: null, error: { code: -32_000, message } },
    ]);
  });

  it('is not sent again when a kept connection carries what is no HTTP', async () => {
    let asked = 0;
    const server = createTcpServer((socket) =>
      socket.on('data', () =>
        socket.write(++asked === 2 ? 'none\r\n\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      ),
    );
    const { port } = await forwarding(`http://127.0.0.1:${await listening(server)}`);
    const body = '{"method":"get_it"}';
    expect(await raw(port, { body })).toMatchObject({ status: 200 });
    expect(await raw(port, { body })).toMatchObject({ status: 502, body: expect.stringContaining('HPE_INVALID') });
    expect(asked).toBe(2);
  });

  it('is sent again until it has a new connection when the target closed all kept ones', async () => {
    const used = new WeakSet<Socket>();
    const waiting: ServerResponse[] = [];
    const answers: ServerResponse[] = [];
    const listeners: (number | undefined)[] = [];
    const target = await served(({ socket }, response) => {
      if (used.has(socket)) return socket.resetAndDestroy();
      used.add(socket);
      waiting.push(response);
      listeners.push(answers.at(-1)?.listenerCount('close'));
      if (waiting.length === 3) for (const each of waiting) each.end('first');
      return waiting.length > 3 && response.end('again');
    });
    const behind = upstream(`http://127.0.0.1:${target}`, 'L1', isRead);
    open.push(behind);
    const port = await served(async (asked, response) => {
      answers.push(response);
      await behind.forward(asked, await buffer(asked), response);
    });
    const body = '{"method":"get_it"}';
    await Promise.all([1, 2, 3].map(() => raw(port, { body })));
    expect(await raw(port, { body })).toMatchObject({ status: 200, body: 'again' });
    // No attempt leaves a listener behind.
    expect(listeners.at(-1)).toBe(listeners[0]);
  });
});

describe('the gateway’s own requests', () => {
  const answer = (body: string, response: ServerResponse) => {
    const { id, method } = JSON.parse(body);
    const error = { code: -32_001, message: 'no' };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'fail' ? { error } : { result: method }) }));
  };

  it.each([
    ['with the token of its caller', { authorization: 'Bearer x' }],
    ['without a token', {}],
  ])('carry the method and its parameters %s', async (_, headers) => {
    await using server = await recording(answer);
    const target = upstream(server.url, 'L1', isRead);
    open.push(target);
    const on = target.on(request(headers));
    expect(await on.call('own', [1])).toBe('own');
    await expect(on.call('fail', [])).rejects.toThrow(new RpcError(-32_001, 'no'));
    expect(await on.ask('{"id":7,"method":"other"}')).toBe('{"jsonrpc":"2.0","id":7,"result":"other"}');
    expect(server.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { jsonrpc: '2.0', id: 1, method: 'own', params: [1] },
      { jsonrpc: '2.0', method: 'fail', params: [] },
      { id: 7, method: 'other' },
    ]);
    for (const { headers: received } of server.requests)
      expect([received['content-type'], received.authorization]).toEqual([
        'application/json',
        'authorization' in headers ? 'Bearer x' : undefined,
      ]);
  });
});

it.each([
  ['with the token of its caller', { authorization: 'Bearer x' }],
  ['without a token', {}],
])('the gateway’s own requests fail without an answer within a minute %s', async (_, headers) => {
  await using server = await recording(() => undefined);
  const target = upstream(server.url, 'L1', isRead);
  open.push(target);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const answer = expect(target.on(request(headers)).call('own', [])).rejects.toThrow('no answer within 60000 ms');
    await vi.advanceTimersByTimeAsync(60_000);
    await answer;
  } finally {
    vi.useRealTimers();
  }
});

describe('a WebSocket to the target', () => {
  it.each([
    ['', '/', {}],
    ['/base', '/base', { authorization: 'Bearer x' }],
  ])(
    'at the path "%s" opens at %s, with the token of its caller and without compression',
    async (path, at, headers) => {
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
      await once(server, 'listening');
      const target = upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, 'L1', isRead);
      open.push({ close: () => server.close() }, target);
      const socket = target.connect(request({ ...headers, origin: 'http://localhost' }));
      const [[, received]] = await Promise.all([once(server, 'connection'), once(socket, 'open')]);
      expect([received.url, received.headers.authorization, received.headers.origin]).toEqual([
        at,
        'authorization' in headers ? 'Bearer x' : undefined,
        undefined,
      ]);
      expect(received.headers['sec-websocket-extensions']).toBeUndefined();
      socket.terminate();
    },
  );
});

it('a WebSocket to the target passes text on that is not UTF-8', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => socket.send(Buffer.from([0xff, 0x41]), { binary: false }));
  const target = upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'L1', isRead);
  open.push({ close: () => server.close() }, target);
  const socket = target.connect(request());
  const [data, isBinary] = await once(socket, 'message');
  expect([[...data], isBinary]).toEqual([[0xff, 0x41], false]);
  socket.terminate();
});

it('a target that is closed keeps no connection', async () => {
  await using server = await recording((_, response) => response.end('{"id":1,"result":1}'));
  const { port, target }: { port: number; target: Upstream } = await forwarding(server.url);
  await raw(port);
  await target.on(request()).call('own', []);
  expect(await server.connections()).toBe(2);
  target.close();
  await expect.poll(() => server.connections()).toBe(0);
});

it.each([
  [{ code: 'ECONNREFUSED', message: 'm' }, 'ECONNREFUSED'],
  [{ message: 'm' }, 'm'],
])('the silence of a target is told with the code of %j, or its message', (error, words) => {
  expect(silence('L1', error as NodeJS.ErrnoException)).toBe(
    `L1 does not answer (${words}): it is starting, or has ended; \`devnet status\` tells`,
  );
});
