import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { webSocketClient } from '../../../src/rpc/client/websocket-client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { jwtVerifier } from '../../../src/rpc/jwt.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
type Options = Omit<Parameters<typeof webSocketClient>[0], 'url'>;

/** A server of WebSockets, and a client of it. `answer` gets each message and its connection. */
async function connected(answer: (message: Asked | Asked[], socket: WebSocket) => void, options: Options = {}) {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const opened: { readonly socket: WebSocket; readonly request: IncomingMessage }[] = [];
  const messages: unknown[] = [];
  sockets.on('connection', (socket, request) => {
    opened.push({ socket, request });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8'));
      messages.push(message);
      answer(message, socket);
    });
  });
  await once(sockets, 'listening');
  const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  const client = webSocketClient({ url, ...options });
  open.push({
    close() {
      client.close();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  });
  return { client, url, opened, messages, sockets };
}

const send = (socket: WebSocket, message: unknown) => socket.send(JSON.stringify(message));
/** Answers each request with its method; a batch in reverse order. */
function echo(message: Asked | Asked[], socket: WebSocket): void {
  const answerTo = ({ id, method }: Asked) =>
    method === 'fail' ? { id, error: { code: -32_000, message: 'failed' } } : { id, result: method };
  send(socket, Array.isArray(message) ? message.map(answerTo).reverse() : answerTo(message));
}
const notice = (subscription: string, result: unknown) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription, result },
});

describe('calls over WebSocket', () => {
  it('are JSON-RPC 2.0 on one connection, each with the next id', async () => {
    const { client, messages, opened } = await connected(echo, { headers: { 'x-own': 'yes' } });
    expect(await client.batch([])).toEqual([]);
    expect(await client.call('a')).toBe('a');
    await expect(client.call('fail', [1])).rejects.toThrow(new RpcError(-32_000, 'failed'));
    expect(await client.batch([{ method: 'b' }, { method: 'fail' }, { method: 'c', params: [2] }])).toEqual([
      { ok: true, result: 'b' },
      { ok: false, error: new RpcError(-32_000, 'failed') },
      { ok: true, result: 'c' },
    ]);
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
      { jsonrpc: '2.0', id: 2, method: 'fail', params: [1] },
      [
        { jsonrpc: '2.0', id: 3, method: 'b', params: [] },
        { jsonrpc: '2.0', id: 4, method: 'fail', params: [] },
        { jsonrpc: '2.0', id: 5, method: 'c', params: [2] },
      ],
    ]);
    expect(opened).toHaveLength(1);
    expect(opened[0]!.request.headers).toMatchObject({ 'x-own': 'yes' });
    expect(opened[0]!.request.headers['authorization']).toBeUndefined();
    expect(opened[0]!.request.headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('are answered each by the answer of its id', async () => {
    const asked: Asked[] = [];
    const { client } = await connected((message, socket) => {
      asked.push(message as Asked);
      if (asked.length < 2) return;
      send(socket, { id: 99, result: 'none' });
      for (const { id, method } of asked.toReversed()) send(socket, { id, result: method });
    });
    expect(await Promise.all([client.call('a'), client.call('b')])).toEqual(['a', 'b']);
  });

  it('are answered by more than a megabyte', async () => {
    const { client } = await connected((message, socket) =>
      send(socket, { id: (message as Asked).id, result: 'x'.repeat(2 ** 20) }),
    );
    expect(await client.call('a')).toHaveLength(2 ** 20);
  });

  it('fail at the limit of the call, at that of the client, and when the caller aborts', async () => {
    const { client, url, messages } = await connected(() => undefined, { timeoutMs: 60_000 });
    await expect(client.call('a', [], { timeoutMs: 30 })).rejects.toThrow(`${url}: no answer within 30 ms`);
    const abort = new AbortController();
    const answer = client.call('b', [], { signal: abort.signal });
    await expect.poll(() => messages.length).toBe(2);
    abort.abort();
    await expect(answer).rejects.toThrow(`${url}: aborted`);
    const hasty = await connected(() => undefined, { timeoutMs: 200 });
    await expect(hasty.client.call('a')).rejects.toThrow(`${hasty.url}: no answer within 200 ms`);
  });

  it('fail when the connection closes, and the next one opens another', async () => {
    const ends: string[] = [];
    const { client, url, opened } = await connected(
      (message, socket) => ((message as Asked).method === 'break' ? socket.terminate() : echo(message, socket)),
      { onEnd: ({ message }) => ends.push(message) },
    );
    const outcomes = await Promise.all(
      ['break', 'more'].map((method) => client.call(method).catch((error: unknown) => error)),
    );
    for (const outcome of outcomes) expect(outcome).toEqual(new TransportError(url, 'the connection closed'));
    expect(ends).toEqual([`${url}: the connection closed`]);
    expect(await client.call('a')).toBe('a');
    expect(opened).toHaveLength(2);
  });

  it('fail when the server sends what is no JSON', async () => {
    const { client, url } = await connected((_, socket) => socket.send('{'));
    await expect(client.call('a')).rejects.toThrow(`${url}: the connection closed`);
  });

  it('fail when the server breaks the protocol and then reads nothing', async () => {
    const { client, url } = await connected((_, socket) => {
      const { _socket: stream } = socket as unknown as { _socket: Socket };
      stream.pause().write(Buffer.from([0xff, 0xff]));
    });
    await expect(client.call('a', [], { timeoutMs: 20_000 })).rejects.toThrow(`${url}: the connection closed`);
  });

  it('leave no timer and no listener of their caller’s signal when they are answered', async () => {
    const { client } = await connected(echo);
    const { signal } = new AbortController();
    await client.call('a');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await client.call('a', [], { signal });
      expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('carry a token of the secret', async () => {
    const jwtSecret = Buffer.alloc(32, 7);
    const { client, opened } = await connected(echo, { jwtSecret });
    await client.call('a');
    expect(jwtVerifier(jwtSecret)(opened[0]!.request.headers['authorization'])).toBeUndefined();
  });

  it('fail when the client closes, and with it its connections', async () => {
    const { client, url, sockets, messages } = await connected(() => undefined);
    const ends = [client.call('a'), client.call('eth_subscribe')].map((call) => call.catch((error: Error) => error));
    await expect.poll(() => [sockets.clients.size, messages.length]).toEqual([2, 2]);
    client.close();
    for (const end of ends) expect(await end).toEqual(new TransportError(url, 'the connection closed'));
    await expect.poll(() => sockets.clients.size).toBe(0);
  });

  it('are refused after the client has closed, also while its connection opens', async () => {
    const { client, url, sockets, opened, messages } = await connected(() => undefined);
    const opening = client.call('a');
    client.close();
    await expect(opening).rejects.toThrow(TransportError);
    await expect(client.call('b')).rejects.toThrow(`${url}: the client is closed`);
    await expect(client.batch([{ method: 'b' }])).rejects.toThrow('the client is closed');
    await expect(
      client.subscribe(
        ['a'],
        () => {},
        () => {},
      ),
    ).rejects.toThrow('the client is closed');
    await expect.poll(() => [opened.length, sockets.clients.size]).toEqual([1, 0]);
    expect(messages).toEqual([]);
  });
});

describe('subscriptions over WebSocket', () => {
  it('have a connection of their own, on which methods of subscriptions run too', async () => {
    const { client, opened, messages } = await connected((message, socket) =>
      send(socket, { id: (message as Asked).id, result: '0x1' }),
    );
    await client.call('eth_chainId');
    expect(
      await client.subscribe(
        ['newHeads'],
        () => {},
        () => {},
      ),
    ).toBe('0x1');
    await client.call('eth_unsubscribe', ['0x1']);
    await client.call('eth_subscribe', ['logs']);
    await client.call('eth_subscribed');
    expect(opened).toHaveLength(2);
    expect(messages.map((message) => (message as Asked).id)).toEqual([1, 1, 2, 3, 2]);
    expect(messages[1]).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });
  });

  it('receive what comes before their acknowledgement, and only what is theirs, in order', async () => {
    const { client } = await connected((message, socket) => {
      const { id, params } = message as Asked;
      const name = String(params[0]);
      for (const item of [1, 2]) send(socket, notice(name, `${name} ${item}`));
      if (name === 'one') send(socket, notice('two', 'two 0'));
      send(socket, { id, result: name });
      send(socket, [notice(name, `${name} 3`), notice('other', 'other 1')]);
      send(socket, { params: { subscription: 7 } });
      send(socket, null);
    });
    const items: Record<string, unknown[]> = { one: [], two: [] };
    for (const name of ['one', 'two'])
      await client.subscribe(
        [name],
        (item) => items[name]!.push(item),
        () => {},
      );
    await expect.poll(() => items['two']!.length).toBe(4);
    expect(items).toEqual({ one: ['one 1', 'one 2', 'one 3'], two: ['two 0', 'two 1', 'two 2', 'two 3'] });
  });

  it('receive at most 1000 notifications from before their acknowledgement', async () => {
    const { client } = await connected((message, socket) => {
      // These are none.
      for (const params of [{ subscription: 7 }, {}]) send(socket, { params });
      for (let item = 1; item <= 1001; item++) send(socket, notice('0x1', item));
      send(socket, { id: (message as Asked).id, result: '0x1' });
      send(socket, notice('0x1', 'last'));
    });
    const items: unknown[] = [];
    await client.subscribe(
      ['a'],
      (item) => items.push(item),
      () => {},
    );
    await expect.poll(() => items.at(-1)).toBe('last');
    expect([items.length, items[0], items[999]]).toEqual([1001, 1, 1000]);
  });

  it('receive all that comes behind their acknowledgement, also at once', async () => {
    const { client } = await connected((message, socket) => {
      const { _socket: stream } = socket as unknown as { _socket: Socket };
      stream.cork();
      send(socket, { id: (message as Asked).id, result: '0x1' });
      for (let item = 1; item <= 1500; item++) send(socket, notice('0x1', item));
      stream.uncork();
    });
    const items: unknown[] = [];
    await client.subscribe(
      ['a'],
      (item) => items.push(item),
      () => {},
    );
    await expect.poll(() => items.at(-1)).toBe(1500);
    expect(items).toHaveLength(1500);
  });

  it('end once, when their connection closes', async () => {
    const { client, url, opened } = await connected(echo);
    const ends: string[] = [];
    await client.subscribe(
      ['a'],
      () => {},
      ({ message }) => ends.push(message),
    );
    opened[0]!.socket.terminate();
    await expect.poll(() => ends).toEqual([`${url}: the connection closed`]);
    client.close();
    expect(ends).toHaveLength(1);
  });
});

/** Starts a server that answers each handshake so. Returns its URL. */
async function upgrading(answer: (socket: Duplex) => void): Promise<string> {
  const server = createServer().on('upgrade', (_, socket) => {
    open.push({ close: () => socket.destroy() });
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => server.close() });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a WebSocket that a server refuses', () => {
  const head = 'HTTP/1.1 503 Full house\r\n';
  const refusing = (words: () => string, fields = '') =>
    upgrading((socket) => {
      const text = words();
      socket.end(`${head}${fields}Content-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`);
    });

  it.each([
    ['its words', 'too many', 'too many'],
    ['the status line without words', '', 'Full house'],
    ['the first 200 characters', 'x'.repeat(1000), 'x'.repeat(200)],
  ])('fails with status and reason: %s', async (_, text, reason) => {
    const url = await refusing(() => text, 'Date: Thu, 01 Jan 1970 00:00:07 GMT\r\n');
    const client = webSocketClient({ url });
    await expect(client.call('a')).rejects.toMatchObject({
      message: `${url}: HTTP 503: ${reason}`,
      refusal: { status: 503, reason, serverTime: 7000 },
    });
  });

  it('fails with the first 200 characters also when its answer has no end, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await upgrading((socket) => {
      socket.on('end', closed.resolve).on('error', closed.resolve).resume();
      socket.write(`${head}\r\n${'x'.repeat(200)}`);
    });
    await expect(webSocketClient({ url, timeoutMs: 5000 }).call('a')).rejects.toThrow(`HTTP 503: ${'x'.repeat(200)}`);
    await closed.promise;
  });

  it('fails with the words of all parts of the answer', async () => {
    const chunks = ['too ', 'many', ''].map((part) => `${part.length}\r\n${part}\r\n`);
    const url = await upgrading((socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}`));
    await expect(webSocketClient({ url }).call('a')).rejects.toThrow('HTTP 503: too many');
  });

  it('is asked again at the next call', async () => {
    let asked = 0;
    const url = await refusing(() => `busy ${++asked}`);
    const client = webSocketClient({ url });
    for (const time of [1, 2]) await expect(client.call('a')).rejects.toThrow(`HTTP 503: busy ${time}`);
  });

  it('is named when the handshake has no end', async () => {
    const url = await upgrading(() => {});
    const [patient, hasty] = [60_000, 50].map((timeoutMs) => webSocketClient({ url, timeoutMs }).call('a'));
    patient!.catch(() => {});
    await expect(Promise.race([patient, hasty!.catch(() => 'hasty')])).resolves.toBe('hasty');
    await expect(hasty).rejects.toThrow(`${url}: `);
  });

  it('is named when nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await expect(webSocketClient({ url: `ws://127.0.0.1:${port}` }).call('a')).rejects.toMatchObject({
      ...{ message: expect.stringContaining('ECONNREFUSED'), cause: { code: 'ECONNREFUSED' } },
    });
  });
});
