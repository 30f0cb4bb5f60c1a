import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { serveDashboard } from '../../../src/orchestrator/dashboard/server.ts';
import type { RunningServer } from '../../../src/rpc/server/listener.ts';
import { EXIT, Failure } from '../../../src/system/failure.ts';

const TOKEN = 'ab'.repeat(32);
const SECRET = 'cd'.repeat(32);

let server: RunningServer;
const followers = new Set<(message: Message) => void>();
const acted: unknown[] = [];
const slow = Promise.withResolvers<void>();

beforeAll(async () => {
  server = await serveDashboard(0, {
    token: () => TOKEN,
    assets: new Map([['/', { type: 'text/html', content: '<!doctype html>' }]]),
    feed: {
      prepare: () => undefined,
      follow(receive) {
        followers.add(receive);
        return () => followers.delete(receive);
      },
    },
    hide: (text) => text.replaceAll(SECRET, '[redacted]'),
    async read(view) {
      if (view === 'unknown') throw new Failure('usage', 'expected one of slow', { exit: EXIT.usage });
      if (view === 'dead') throw new Error(`connect ECONNREFUSED ${SECRET}`);
      if (view === 'slow') await slow.promise;
      return { lines: [`jwt ${SECRET}`] };
    },
    async act(action) {
      acted.push(action);
      return 'done';
    },
  });
});
afterAll(() => server.close());

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function open(path: string, { method = 'GET', headers = {}, body = '' }: Ask = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false });
    call.on('response', resolve).on('error', reject).end(body);
  });
}

async function ask(path: string, how: Ask = {}): Promise<[number, string]> {
  const response = await open(path, how);
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return [response.statusCode ?? 0, text];
}

const withToken = { authorization: `Bearer ${TOKEN}` };
const stop = (headers: Readonly<Record<string, string>>, body = '{"kind":"node"}') =>
  ask('/api/act', { method: 'POST', headers, body });

it('the dashboard changes nothing without the token', async () => {
  for (const authorization of ['', 'Bearer ', `Bearer ${'0'.repeat(64)}`, `Bearer ${TOKEN}0`, TOKEN])
    expect((await stop({ authorization }))[0]).toBe(401);
  expect((await ask(`/api/act?token=${TOKEN}`, { headers: withToken }))[0]).toBe(404);
  expect(acted).toEqual([]);
  expect(await stop(withToken)).toEqual([200, '{"done":"done"}']);
  expect(acted).toEqual([{ kind: 'node' }]);
});

it.each<[string, Record<string, string>]>([
  ['another host', { host: 'devnet.example' }],
  ['another origin', { origin: 'https://devnet.example' }],
  ['another port of loopback', { origin: 'http://127.0.0.1:1' }],
  ['no origin at all', { origin: 'null' }],
  ['another site, as browsers say', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of another port, as browsers say', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
])('the dashboard answers nothing to %s, even with the token', async (_, headers) => {
  const before = acted.length;
  for (const path of ['/', '/api/stream', '/api/read/log']) expect((await ask(path, { headers }))[0]).toBe(403);
  expect((await stop({ ...withToken, ...headers }))[0]).toBe(403);
  expect(acted.length).toBe(before);
});

it('the dashboard serves its page with a policy that permits no foreign script or address', async () => {
  const origin = { origin: `http://127.0.0.1:${server.port}`, 'sec-fetch-site': 'same-origin' };
  expect((await ask('/api/read/log', { headers: origin }))[0]).toBe(200);
  for (const path of ['/', '/nothing', '/api/read/log', '/api/stream']) {
    const response = await open(path);
    const { 'content-security-policy': policy = '', 'access-control-allow-origin': allowed } = response.headers;
    response.destroy();
    const sources = new Map(
      String(policy)
        .split('; ')
        .map((each) => [each.split(' ')[0], each.split(' ').slice(1)]),
    );
    expect(sources.get('default-src')).toEqual(["'none'"]);
    expect(sources.get('script-src')).toEqual(["'self'"]);
    expect(sources.get('connect-src')).toEqual(["'self'"]);
    for (const place of ['frame-ancestors', 'base-uri', 'form-action']) expect(sources.get(place)).toEqual(["'none'"]);
    // The plots set styles of their elements; a style can reach no address, because images are the page's own too.
    expect(sources.get('style-src')).toEqual(["'self'", "'unsafe-inline'"]);
    expect(sources.get('img-src')).toEqual(["'self'", 'data:']);
    expect(allowed).toBeUndefined();
  }
});

it('the dashboard hides secrets in answers and in errors', async () => {
  expect(await ask('/api/read/log')).toEqual([200, '{"lines":["jwt [redacted]"]}']);
  expect(await ask('/api/read/dead')).toEqual([502, '{"error":"connect ECONNREFUSED [redacted]"}']);
});

it('the dashboard names malformed requests', async () => {
  expect(await ask('/api/read/unknown')).toEqual([400, '{"error":"expected one of slow"}']);
  expect((await ask('/../../etc/passwd'))[0]).toBe(404);
  expect((await ask('/', { method: 'DELETE' }))[0]).toBe(405);
  expect((await stop(withToken, '{'))[0]).toBe(400);
  expect((await stop(withToken, 'x'.repeat(20_000)))[0]).toBe(413);
});

it('the dashboard refuses a flood of reads, and answers again after it', async () => {
  const refused: number[] = [];
  const flood = Array.from({ length: 40 }, async () => {
    const [code, text] = await ask('/api/read/slow');
    if (code === 429 && refused.push(code) === 24) slow.resolve();
    return [code, text] as const;
  });
  const codes = (await Promise.all(flood)).map(([code]) => code);
  expect(codes.filter((code) => code === 200)).toHaveLength(16);
  expect(refused).toHaveLength(24);
  expect((await ask('/api/read/log'))[0]).toBe(200);
});

it('the dashboard refuses a flood of open pages, and forgets those that close', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, () => open('/api/stream')));
  expect(pages.filter(({ statusCode }) => statusCode === 200)).toHaveLength(16);
  expect(followers.size).toBe(16);
  for (const page of pages) page.destroy();
  await expect.poll(() => followers.size).toBe(0);
});

it('a page that reads nothing is cut off', async () => {
  const page = await open('/api/stream');
  const end = new Promise((resolve) => page.on('error', resolve).on('close', resolve));
  const message: Message = { kind: 'gone', because: 'x'.repeat(1024 * 1024), isDown: false };
  // The kernel's buffers take the first ones.
  for (let sent = 0; sent < 64 && followers.size > 0; sent++) {
    for (const tell of followers) tell(message);
    await new Promise(setImmediate);
  }
  await expect.poll(() => followers.size).toBe(0);
  page.resume();
  await end;
});

it('the dashboard sends messages with their secrets hidden', async () => {
  const page = await open('/api/stream');
  const first = new Promise((resolve) => page.setEncoding('utf8').once('data', resolve));
  for (const tell of followers) tell({ kind: 'gone', because: SECRET, isDown: false });
  expect(await first).toBe('data: {"kind":"gone","because":"[redacted]","isDown":false}\n\n');
  page.destroy();
});
