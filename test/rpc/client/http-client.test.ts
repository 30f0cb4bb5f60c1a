import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { type RpcClient, TransportError } from '../../../src/rpc/client/client.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { jwtVerifier } from '../../../src/rpc/jwt.ts';
import { recording } from './server.ts';

type Asked = { readonly id: number; readonly method: string };

/** Answers each request with its method, and a batch in reverse order. */
function echo(body: string, response: ServerResponse): void {
  const answerTo = ({ id, method }: Asked) =>
    method === 'fail' ? { id, error: { code: -32_000, message: 'failed' } } : { id, result: method };
  const asked: Asked | Asked[] = JSON.parse(body);
  response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerTo).reverse() : answerTo(asked)));
}

describe('an HTTP client', () => {
  it('sends a call as JSON-RPC 2.0 by POST, each with the next id', async () => {
    await using server = await recording(echo);
    const client = httpClient({ url: server.url, headers: { 'x-own': 'u' } });
    expect(await client.call('first')).toBe('first');
    expect(await client.call('second', ['ü'])).toBe('second');
    await expect(client.call('fail')).rejects.toThrow(new RpcError(-32_000, 'failed'));
    expect(server.requests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
      ['POST', { jsonrpc: '2.0', id: 1, method: 'first', params: [] }],
      ['POST', { jsonrpc: '2.0', id: 2, method: 'second', params: ['ü'] }],
      ['POST', { jsonrpc: '2.0', id: 3, method: 'fail', params: [] }],
    ]);
    const { headers, body } = server.requests[1]!;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-own': 'u' });
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(headers['authorization']).toBeUndefined();
    client.close();
  });

  it('sends a batch in one message, and returns its answers in the order of the requests', async () => {
    await using server = await recording(echo);
    const client = httpClient({ url: server.url });
    expect(await client.batch([{ method: 'a' }, { method: 'fail', params: [1] }, { method: 'b' }])).toEqual([
      { ok: true, result: 'a' },
      { ok: false, error: new RpcError(-32_000, 'failed') },
      { ok: true, result: 'b' },
    ]);
    expect(await client.call('c')).toBe('c');
    expect(await client.batch([])).toEqual([]);
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      [
        { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'fail', params: [1] },
        { jsonrpc: '2.0', id: 3, method: 'b', params: [] },
      ],
      { jsonrpc: '2.0', id: 4, method: 'c', params: [] },
    ]);
    client.close();
  });

  it('has an error for a request that a batch leaves without an answer', async () => {
    await using server = await recording((_, response) => response.end('[{"id":2,"result":7}]'));
    const client = httpClient({ url: server.url });
    const [missing, found] = await client.batch([{ method: 'a' }, { method: 'b' }]);
    expect(missing).toMatchObject({ ok: false, error: expect.any(TransportError) });
    expect(found).toEqual({ ok: true, result: 7 });
    client.close();
  });

  it.each([
    ['an error', '{"id":null,"error":{"code":-32600,"message":"batch too large"}}', 'batch too large'],
    ['a result', '{"id":1,"result":7}', 'expected an array of answers'],
    ['no JSON-RPC', '7', 'the answer is not a JSON-RPC response'],
  ])('throws when one answer comes to a batch: %s', async (_, text, message) => {
    await using server = await recording((__, response) => response.end(text));
    const client = httpClient({ url: server.url });
    await expect(client.batch([{ method: 'a' }])).rejects.toThrow(message);
    client.close();
  });

  it('throws the status, the words and the clock of an answer that is no JSON', async () => {
    await using server = await recording((_, response) =>
      response.writeHead(503, { date: 'Thu, 01 Jan 1970 00:00:07 GMT' }).end('busy'),
    );
    const client = httpClient({ url: server.url });
    await expect(client.call('a')).rejects.toMatchObject({
      message: `${server.url}: HTTP 503: busy`,
      status: 503,
      refusal: { reason: 'busy', serverTime: 7000 },
    });
    client.close();
  });

  it.each([
    ['a call', 502, (client: RpcClient) => client.call('a')],
    ['a batch', 504, (client: RpcClient) => client.batch([{ method: 'a' }])],
  ])('throws that there is no answer to %s when a gateway says so (%i)', async (_, status, ask) => {
    const words = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"L1 does not answer"}}';
    await using server = await recording((__, response) => response.writeHead(status).end(words));
    const client = httpClient({ url: server.url });
    const error: unknown = await ask(client).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ message: `${server.url}: HTTP ${status}: L1 does not answer`, status });
    client.close();
  });

  it('throws the error of an answer with another status', async () => {
    const words = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}';
    await using server = await recording((_, response) => response.writeHead(503).end(words));
    const client = httpClient({ url: server.url });
    await expect(client.call('a')).rejects.toEqual(new RpcError(-32_000, 'busy'));
    client.close();
  });

  it('sends a token of its secret with each request', async () => {
    await using server = await recording(echo);
    const jwtSecret = Buffer.alloc(32, 7);
    const client = httpClient({ url: server.url, jwtSecret });
    await client.call('a');
    expect(jwtVerifier(jwtSecret)(server.requests[0]!.headers['authorization'])).toBeUndefined();
    client.close();
  });

  it('keeps one connection for calls after one another, and none after it closes', async () => {
    await using server = await recording(echo);
    const client = httpClient({ url: server.url });
    for (const method of ['a', 'b', 'c']) await client.call(method);
    expect(await server.connections()).toBe(1);
    client.close();
    await expect.poll(() => server.connections()).toBe(0);
  });

  it.each([
    ['the limit of the call', { timeoutMs: 60_000 }, { timeoutMs: 30 }],
    ['its own limit', { timeoutMs: 30 }, {}],
  ])('fails without an answer after %s', async (_, options, call) => {
    await using server = await recording(() => undefined);
    const client = httpClient({ url: server.url, ...options });
    await expect(client.call('a', [], call)).rejects.toThrow(`${server.url}: no answer within 30 ms`);
    client.close();
  });

  it('fails when its caller aborts, or an answer is over its limit', async () => {
    await using server = await recording((body, response) => {
      if (body.includes('long')) response.end(JSON.stringify({ id: 2, result: 'x'.repeat(100) }));
    });
    const client = httpClient({ url: server.url, maxAnswer: 100 });
    const abort = new AbortController();
    const answer = client.call('a', [], { signal: abort.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    await expect(answer).rejects.toThrow('aborted');
    await expect(client.call('long')).rejects.toThrow('an answer of over 100 bytes');
    client.close();
  });

  it('takes an answer of exactly its limit', async () => {
    const text = '{"id":1,"result":7}';
    await using server = await recording((_, response) => response.end(text));
    const client = httpClient({ url: server.url, maxAnswer: text.length });
    expect(await client.call('a')).toBe(7);
    client.close();
  });

  it('fails when the server ends the connection within its answer', async () => {
    await using server = await recording((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.socket?.end();
    });
    const client = httpClient({ url: server.url, timeoutMs: 20_000 });
    await expect(client.call('a')).rejects.toThrow(`${server.url}: aborted`);
    client.close();
  });

  it('fails with the cause when nothing listens', async () => {
    const { url, [Symbol.asyncDispose]: close } = await recording(() => undefined);
    await close();
    await expect(httpClient({ url }).call('a')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it.each([
    ['an answer', 'done'],
    ['a failure', undefined],
  ])('leaves no timer after %s', async (_, result) => {
    await using server = await recording((__, response) =>
      result === undefined ? response.destroy() : response.end(JSON.stringify({ id: 1, result })),
    );
    const client = httpClient({ url: server.url });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      expect(await client.call('a').catch(() => undefined)).toBe(result);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
      client.close();
    }
  });
});
