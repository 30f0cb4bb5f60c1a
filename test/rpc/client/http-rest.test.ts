import { describe, expect, it, vi } from 'vitest';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { httpGet, httpPost } from '../../../src/rpc/client/http-rest.ts';
import { directAgent } from '../../../src/rpc/http.ts';
import { recording } from './server.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 10 };

describe('a REST request', () => {
  it('a GET request sends its headers and returns an answer of any status', async () => {
    await using server = await recording((_, response) => response.writeHead(404).end('ünknown'));
    expect(await httpGet(server.url, { ...LIMITS, headers: { accept: 'application/json' } })).toEqual({
      status: 404,
      body: Buffer.from('ünknown'),
      text: 'ünknown',
    });
    expect(server.requests[0]).toMatchObject({ method: 'GET', headers: { accept: 'application/json' }, body: '' });
  });

  it('a POST request sends bytes with their length, and with the type of the caller if it has one', async () => {
    await using server = await recording((_, response) => response.end('done'));
    await httpPost(server.url, Buffer.from('abc'), LIMITS);
    await httpPost(server.url, Buffer.from('[]'), { ...LIMITS, headers: { 'content-type': 'application/json' } });
    expect(server.requests).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/octet-stream', 'content-length': '3' }, body: 'abc' },
      { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '2' }, body: '[]' },
    ]);
  });

  it('takes an answer of exactly its limit, and fails at one byte more', async () => {
    await using server = await recording((body, response) => response.end('x'.repeat(Number(body))));
    expect((await httpPost(server.url, Buffer.from('10'), LIMITS)).text).toHaveLength(10);
    const over = httpPost(server.url, Buffer.from('11'), LIMITS);
    await expect(over).rejects.toThrow(new TransportError(server.url, 'an answer of over 10 bytes'));
  });

  it('fails at its time limit, and never with a limit of zero', async () => {
    const answers: (() => void)[] = [];
    await using server = await recording((_, response) => answers.push(() => response.end('late')));
    await expect(httpGet(server.url, { ...LIMITS, timeoutMs: 30 })).rejects.toThrow(
      `${server.url}: no answer within 30 ms`,
    );
    const patient = httpGet(server.url, { ...LIMITS, timeoutMs: 0 });
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!();
    expect((await patient).text).toBe('late');
  });

  it('fails when the server ends the connection within its answer', async () => {
    await using server = await recording((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.socket?.end();
    });
    await expect(httpGet(server.url, { ...LIMITS, timeoutMs: 20_000 })).rejects.toThrow(`${server.url}: aborted`);
  });

  it('goes by an agent without a proxy to this machine, and by that of Node to another one', async () => {
    await using server = await recording((_, response) => response.end('here'));
    const { port } = new URL(server.url);
    const kept = () => Object.keys(directAgent(server.url)!.freeSockets).filter((name) => name.includes(`:${port}:`));
    expect((await httpGet(`http://0.0.0.0:${port}`, LIMITS)).text).toBe('here');
    expect(kept()).toEqual([]);
    expect((await httpGet(server.url, LIMITS)).text).toBe('here');
    await expect.poll(kept).toEqual([`127.0.0.1:${port}:`]);
  });

  it('names the URL of a server that does not listen', async () => {
    const { url, [Symbol.asyncDispose]: close } = await recording(() => undefined);
    await close();
    await expect(httpGet(url, LIMITS)).rejects.toThrow(TransportError);
    await expect(httpGet(url, LIMITS)).rejects.toMatchObject({
      ...{ message: expect.stringContaining('ECONNREFUSED'), cause: { code: 'ECONNREFUSED' } },
    });
  });

  it.each([
    ['an answer', 'done'],
    ['a failure', undefined],
  ])('leaves no timer after %s', async (_, text) => {
    await using server = await recording((__, response) =>
      text === undefined ? response.destroy() : response.end(text),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      expect((await httpGet(server.url, LIMITS).catch(() => undefined))?.text).toBe(text);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
