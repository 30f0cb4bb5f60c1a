import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { webSocketClient } from '../../../src/rpc/client/websocket-client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { method, param } from '../../../src/rpc/method.ts';
import { JsonText } from '../../../src/rpc/server/json-text.ts';
import { type RunningServer, type ServerOptions, serve } from '../../../src/rpc/server/server.ts';

interface Counter {
  value: number;
}

const methods = {
  test_add: method(
    'adds',
    z.tuple([z.number(), z.number().optional()]),
    (context: Counter, [a, b]) => (context.value += a + (b ?? 0)),
  ),
  test_hash: method('echoes a hash', z.tuple([param.hash]), (_: Counter, [hash]) => hash),
  test_parts: method('returns parts', z.tuple([]), () => new JsonText(['["', Buffer.from('ä'), '"]'])),
  test_fail: method('fails', z.tuple([]), () => {
    throw new RpcError(-38001, 'unknown payload', { id: 7 });
  }),
  test_crash: method('crashes', z.tuple([]), () => {
    throw new TypeError('a defect');
  }),
  eth_subscribe: method('notifies thrice', z.tuple([z.string()]), (_: Counter, [topic], call) => {
    for (const item of [1, 2, 3])
      queueMicrotask(() => call.notify?.('eth_subscription', { subscription: '0x1', result: `${topic} ${item}` }));
    return '0x1';
  }),
};

const secret = Buffer.alloc(32, 7);
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

async function start(
  options: Partial<ServerOptions<Counter>> = {},
): Promise<RunningServer & { url: string; port: number }> {
  const server = await serve<Counter>({
    methods,
    context: { value: 0 },
    host: '127.0.0.1',
    port: 0,
    http: true,
    websocket: true,
    ...options,
  });
  open.push(server);
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` });
}

function client(url: string, jwtSecret?: Uint8Array) {
  const rpc = httpClient({ url, ...(jwtSecret ? { jwtSecret } : {}) });
  open.push(rpc);
  return rpc;
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response
          .on('data', (part) => (text += part))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

describe('JSON-RPC server', () => {
  it('answers calls and batches in order, each with its own result or error', async () => {
    const rpc = client((await start()).url);
    expect(await rpc.call('test_add', [2])).toBe(2);
    const outcomes = await rpc.batch([
      { method: 'test_add', params: [1, 1] },
      { method: 'test_fail' },
      { method: 'test_add', params: [1] },
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.result : outcome.error.message))).toEqual([
      4,
      'unknown payload',
      5,
    ]);
  });

  it('sends the parts of a result one after another, with the length of all', async () => {
    const answer = await post((await start()).url, '{"jsonrpc":"2.0","id":1,"method":"test_parts","params":[]}');
    const body = '{"jsonrpc":"2.0","id":1,"result":["ä"]}';
    expect(answer).toMatchObject({ status: 200, body, headers: { 'content-length': `${Buffer.byteLength(body)}` } });
  });

  it.each([
    ['{', -32700, 'parse error'],
    ['[]', -32600, 'empty batch'],
    ['{"id":1,"method":"test_add","params":[1]}', -32600, 'invalid request'],
    ['7', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":{},"method":"test_add"}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_none"}', -32601, 'test_none does not exist'],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601, 'toString does not exist'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_add","params":{"a":1}}', -32602, 'expected an array'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_add"}', -32602, 'missing value for required argument 0'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_add","params":["1"]}', -32602, 'invalid argument 0'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_add","params":[1,2,3]}', -32602, 'too many arguments, want at most 2'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_hash","params":["0x12"]}', -32602, 'expected a 32-byte hash'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_fail"}', -38001, 'unknown payload'],
    ['{"jsonrpc":"2.0","id":1,"method":"test_crash"}', -32603, 'a defect'],
  ])('answers %s with error %i', async (body, code, words) => {
    const answer = JSON.parse((await post((await start()).url, body)).body);
    expect(answer.error.code).toBe(code);
    expect(answer.error.message).toContain(words);
  });

  it('accepts null for a trailing optional parameter and answers no notification', async () => {
    const { url } = await start();
    expect(
      JSON.parse((await post(url, '{"jsonrpc":"2.0","id":"x","method":"test_add","params":[3,null]}')).body),
    ).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: 3,
    });
    expect((await post(url, '{"jsonrpc":"2.0","method":"test_add","params":[3]}')).body).toBe('');
  });

  it('refuses bodies and batches over the limit and serves the next request', async () => {
    const { url } = await start({ maxBody: 1000, maxBatch: 2 });
    expect((await post(url, ' '.repeat(1001))).status).toBe(413);
    expect((await post(url, ' '.repeat(5000), { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect(JSON.parse((await post(url, '[1,2,3]')).body)[0].error).toMatchObject({ code: -32600 });
    expect(await client(url).call('test_add', [1])).toBe(1);
  });

  it('answers a body that is not JSON by its type with status 415', async () => {
    const { url } = await start();
    const headers = { 'content-type': 'text/plain' };
    expect((await post(url, '{"jsonrpc":"2.0","id":1,"method":"test_add","params":[1]}', headers)).status).toBe(415);
  });

  it('names the URL of a server that does not listen', async () => {
    const server = await start();
    await server.close();
    await expect(client(server.url).call('test_add', [1])).rejects.toThrow(TransportError);
  });
});

describe('limits', () => {
  const long = method('a long text', z.tuple([z.number()]), (_: Counter, [length]) => 'x'.repeat(length));

  it('refuse an answer over the limit, and the calls of a batch behind it', async () => {
    const { url } = await start({ methods: { test_long: long }, maxResponse: 2000, maxBatchResponse: 1500 });
    const ask = async (body: string) => JSON.parse((await post(url, body)).body);
    const call = (id: number, length: number) =>
      `{"jsonrpc":"2.0","id":${id},"method":"test_long","params":[${length}]}`;
    expect(await ask(call(1, 3000))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32003, message: 'response too large' },
    });
    const answers = await ask(`[${call(1, 1000)},${call(2, 1000)},${call(3, 1)},${call(4, 1)}]`);
    expect(
      answers.map(({ result, error }: { result?: string; error?: { code: number } }) => result?.length ?? error?.code),
    ).toEqual([1000, 1000, -32003, -32003]);
    expect((await ask(call(5, 10))).result).toHaveLength(10);
  });

  it('let other requests be answered during a long batch, which ends with its connection', async () => {
    let ran = 0;
    const count = method('takes a while', z.tuple([]), () => {
      for (const until = performance.now() + 0.1; performance.now() < until; );
      ran++;
    });
    const { url, port } = await start({ methods: { ...methods, test_count: count }, maxBatch: 1e6, maxBody: 1e8 });
    const requests = Array.from({ length: 200_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'test_count' }));
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    open.push({ close: () => socket.terminate() });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify(requests));
    await vi.waitFor(() => expect(ran).toBeGreaterThan(0), 120_000);
    expect(JSON.parse((await post(url, '{"jsonrpc":"2.0","id":1,"method":"test_add","params":[1]}')).body)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: 1,
    });
    expect(ran).toBeLessThan(requests.length);
    socket.terminate();
    await vi.waitFor(async () => {
      const before = ran;
      await post(url, '{"jsonrpc":"2.0","id":1,"method":"test_add","params":[1]}');
      expect(ran).toBe(before);
    }, 10_000);
    expect(ran).toBeLessThan(requests.length);
  });

  it('answer another version of JSON-RPC with -32600', async () => {
    const { url } = await start();
    const answer = JSON.parse((await post(url, '{"jsonrpc":"1.0","id":1,"method":"test_add","params":[1]}')).body);
    expect(answer).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('refuse connections over the maximum', async () => {
    const { port, url } = await start({ maxConnections: 1 });
    const first = webSocketClient({ url: `ws://127.0.0.1:${port}` });
    open.push(first);
    expect(await first.call('test_add', [1])).toBe(1);
    const second = webSocketClient({ url: `ws://127.0.0.1:${port}` });
    open.push(second);
    await expect(second.call('test_add', [1])).rejects.toThrow(TransportError);
    expect(await post(url, '{}')).toMatchObject({ status: 429, body: 'Too many connections. Please try again later.' });
    expect(await first.call('test_add', [1])).toBe(2);
    first.close();
    await expect.poll(async () => (await post(url, '{}')).status).toBe(200);
  });

  it('end a connection whose message is over the limit', async () => {
    const { port, url } = await start({ maxMessage: 100 });
    const socket = webSocketClient({ url: `ws://127.0.0.1:${port}` });
    open.push(socket);
    await expect(socket.call('test_hash', ['x'.repeat(200)])).rejects.toThrow(TransportError);
    expect(await client(url).call('test_add', [1])).toBe(1);
  });

  it('end connections of slow requests, and leave others alone', async () => {
    const { url, port } = await start({ patience: { headers: 500, request: 1000 } });
    const partialRequests = [
      'POST / HTTP/1.1\r\nHost: localhost\r\nX-',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    ];
    let cut = 0;
    const slow = Array.from({ length: 300 }, (_, at) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(partialRequests[at % 2]!));
      const drops = setInterval(() => socket.write('a'), 50);
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drops);
        cut++;
      });
      return socket.resume();
    });
    open.push({ close: () => slow.map((socket) => socket.destroy()) });
    await expect
      .poll(async () => {
        expect(await client(url).call('test_add', [1])).toBeGreaterThan(0);
        return cut;
      })
      .toBe(slow.length);
  });

  it('end a connection whose reader does not read, and leave other subscribers alone', async () => {
    const refused: Promise<void>[] = [];
    const flood = method('notifies until it is refused', z.tuple([z.string()]), (_: Counter, [topic], call) => {
      const item = 'x'.repeat(100_000);
      let count = 0;
      const tell = (): void => {
        if (count++ < 3 || topic === 'endless') {
          if (call.notify!('eth_subscription', { subscription: topic, result: item })) setImmediate(tell);
        }
      };
      refused.push(new Promise((resolve) => call.closed.addEventListener('abort', () => resolve())));
      setImmediate(tell);
      return topic;
    });
    const server = await start({ methods: { ...methods, eth_subscribe: flood }, maxUnread: 1_000_000 });
    const slow = connect(server.port, '127.0.0.1');
    open.push({ close: () => slow.destroy() });
    slow.on('error', () => {});
    slow.pause();
    const request = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["endless"]}');
    const mask = Buffer.alloc(4);
    slow.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    slow.write(Buffer.concat([Buffer.from([0x81, 0x80 | request.length]), mask, request]));
    await expect.poll(() => refused.length).toBe(1);
    await refused[0];
    const reader = webSocketClient({ url: `ws://127.0.0.1:${server.port}` });
    open.push(reader);
    const items: unknown[] = [];
    await reader.subscribe(
      ['some'],
      (item) => items.push(item),
      () => {},
    );
    await expect.poll(() => items.length).toBe(3);
    expect(server.connections()).toBe(1);
  });
});

describe('JWT', () => {
  it('admits a token of the secret, over HTTP and WebSocket, and refuses others with the reason', async () => {
    const { url, port } = await start({ jwtSecret: secret });
    expect(await client(url, secret).call('test_add', [1])).toBe(1);
    await expect(client(url, Buffer.alloc(32, 8)).call('test_add', [1])).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('different JWT secrets'),
    });
    const socket = webSocketClient({ url: `ws://127.0.0.1:${port}`, jwtSecret: secret });
    open.push(socket);
    expect(await socket.call('test_add', [1])).toBe(2);
    const refused = new WebSocket(`ws://127.0.0.1:${port}`);
    await expect(new Promise((_, reject) => refused.on('error', reject))).rejects.toThrow('401');
  });
});

describe('WebSocket client', () => {
  it('delivers every notification, also those right behind the acknowledgement, and reports the end', async () => {
    const server = await start();
    const socket = webSocketClient({ url: `ws://127.0.0.1:${server.port}` });
    open.push(socket);
    const items: unknown[] = [];
    const end = new Promise<Error>((resolve) => void socket.subscribe(['head'], (item) => items.push(item), resolve));
    await expect.poll(() => items).toEqual(['head 1', 'head 2', 'head 3']);
    expect(server.connections()).toBe(1);
    await server.close();
    expect((await end).message).toContain('closed');
  });

  it('uses separate connections for answers and notifications', async () => {
    const server = await start();
    const socket = webSocketClient({ url: `ws://127.0.0.1:${server.port}` });
    open.push(socket);
    const items: unknown[] = [];
    for (const topic of ['one', 'two'])
      await socket.subscribe(
        [topic],
        (item) => items.push(item),
        () => undefined,
      );
    await expect.poll(() => items).toHaveLength(6);
    expect(server.connections()).toBe(1);
    await Promise.all([socket.call('test_add', [1]), socket.batch([{ method: 'test_add', params: [1] }])]);
    expect(server.connections()).toBe(2);
  });
});
