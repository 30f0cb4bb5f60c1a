import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jwtBearer } from '../../../src/rpc/jwt.ts';
import { method } from '../../../src/rpc/method.ts';
import { type AccessOptions, accessControl } from '../../../src/rpc/server/access-control.ts';
import { hostProblem } from '../../../src/rpc/server/host-origin.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';
import { setSkew } from '../../../src/system/time/skew.ts';
import { raw, upgrade } from '../raw.ts';

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function start(admission: AccessOptions = {}, host = '127.0.0.1'): Promise<number> {
  const methods = { test_one: method('one', z.tuple([]), () => 1) };
  const server = await serve({ methods, context: {}, host, port: 0, http: true, websocket: true, ...admission });
  open.push(server);
  return server.port;
}

const body = '{"jsonrpc":"2.0","id":1,"method":"test_one"}';

const LOOPBACK_HOSTS = [
  'localhost',
  'localhost:1',
  'LOCALHOST',
  'app.localhost:8545',
  '127.0.0.1:8545',
  '127.9.9.9',
  '[::1]:8545',
  '[::1]',
];
const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:8545',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  '10.0.0.1:8545',
  '0.0.0.0:8545',
  '128.0.0.1',
  '[fe80::1]:8545',
  'localhost:8545:evil.example',
  'localhost@evil.example',
  '[::1]evil.example',
];
const LOCAL_PAGES = [
  'http://localhost',
  'http://localhost:3000',
  'https://localhost:5173',
  'http://app.localhost:3000',
  'http://127.0.0.1:8080',
  'http://127.8.8.8',
  'http://[::1]:3000',
  'chrome-extension://nkbihfbeogaeaoehlefnkodbfegckmkm',
  'moz-extension://4b1d6c0e',
];
const FOREIGN_PAGES = [
  'https://evil.example',
  'http://evil.example:8545',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://10.0.0.1:3000',
  'http://0.0.0.0:3000',
  'null',
  'file://',
  'ftp://localhost',
  'data:text/html',
  'localhost',
  '',
];

describe('a server without options', () => {
  it.each(LOOPBACK_HOSTS)('serves the host %s, over HTTP and WebSocket', async (host) => {
    const port = await start();
    expect(await raw(port, { headers: { host }, body })).toMatchObject({
      status: 200,
      body: expect.stringContaining('1'),
    });
    expect(await upgrade(port, { Host: host })).toBe(101);
  });

  it.each(FOREIGN_HOSTS)('refuses the host "%s", over HTTP and WebSocket, before the method runs', async (host) => {
    const port = await start();
    const answer = await raw(port, { headers: { host }, body });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect(answer.body).toContain('invalid host specified');
    expect(await upgrade(port, { Host: host })).toBe(403);
    expect((await raw(port, { method: 'OPTIONS', headers: { host, origin: 'http://localhost:3000' } })).status).toBe(
      403,
    );
  });

  it.each(LOCAL_PAGES)('serves the page %s, and allows its origin by header', async (origin) => {
    const port = await start();
    const answer = await raw(port, { headers: { origin }, body });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect(answer.headers['vary']).toContain('origin');
    expect(await upgrade(port, { Origin: origin })).toBe(101);
  });

  it.each(FOREIGN_PAGES)('refuses the page "%s", over HTTP and WebSocket, and its preflight', async (origin) => {
    const port = await start();
    for (const request of [{ body }, { method: 'GET' }, { method: 'OPTIONS' }]) {
      const answer = await raw(port, { ...request, headers: { origin } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
    expect(await upgrade(port, { Origin: origin })).toBe(403);
  });

  it('refuses a foreign host and a foreign origin together', async () => {
    const port = await start();
    for (const host of ['localhost', 'evil.example'])
      for (const origin of ['http://localhost:3000', 'http://evil.example'])
        expect([host, origin, (await raw(port, { headers: { host, origin }, body })).status]).toEqual([
          host,
          origin,
          host === 'localhost' && origin === 'http://localhost:3000' ? 200 : 403,
        ]);
  });

  it.each([
    ['an image or a link of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['one whose referrer is another site', { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }, 403],
    ['one of a page on loopback', { 'sec-fetch-site': 'cross-site', referer: 'http://127.0.0.1:3000/x' }, 200],
    ['the same site', { 'sec-fetch-site': 'same-site' }, 200],
    ['an address that the user typed', { 'sec-fetch-site': 'none' }, 200],
  ])('answers a GET without Origin of %s with its status', async (_, headers, status) => {
    expect((await raw(await start(), { method: 'GET', headers })).status).toBe(status);
  });

  it('answers a preflight with the requested permissions, also for private networks', async () => {
    const port = await start();
    const headers = {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-id',
    };
    const plain = await raw(port, { method: 'OPTIONS', headers });
    expect(plain.status).toBe(204);
    expect(plain.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'content-type,x-id',
      vary: expect.stringContaining('access-control-request-headers'),
    });
    expect(plain.headers['access-control-allow-private-network']).toBeUndefined();
    const preflight = { ...headers, 'access-control-request-private-network': 'true' };
    const answer = await raw(port, { method: 'OPTIONS', headers: preflight });
    expect(answer.headers['access-control-allow-private-network']).toBe('true');
  });

  it.each([
    ['10.0.0.1:8545', true],
    ['[fe80::1]:8545', true],
    ['localhost', true],
    ['evil.example', false],
    ['10.0.0.1.evil.example', false],
  ])('serves the host %s beyond loopback: %s', (host, served) => {
    expect(hostProblem(host, {}, true) === undefined).toBe(served);
  });
});

describe('options', () => {
  it.each([
    [['node.example'], 'node.example:9547', 200],
    [['Node.Example'], 'node.example', 200],
    [['node.example'], 'other.example', 403],
    [['node.example'], 'localhost', 200],
    [['*'], 'evil.example', 200],
  ])('--http.vhosts %j answer the host %s with %i', async (virtualHosts, host, status) => {
    const port = await start({ virtualHosts });
    expect((await raw(port, { headers: { host }, body })).status).toBe(status);
    expect(await upgrade(port, { Host: host })).toBe(status === 200 ? 101 : 403);
  });

  it.each([
    [['https://app.example'], 'https://app.example', 'https://app.example'],
    [['https://app.example/'], 'https://app.example', 'https://app.example'],
    [['https://app.example'], 'https://app.example:444', undefined],
    [['https://app.example'], 'http://localhost:3000', 'http://localhost:3000'],
    [['https://*.app.example'], 'https://one.app.example', 'https://one.app.example'],
    [['https://*.app.example'], 'https://app.example', undefined],
    [['https://*.app.example'], 'https://app.example.evil.example', undefined],
    [['https://*.example'], 'https://.example', 'https://.example'],
    [['https://a*a.example'], 'https://a.example', undefined],
    [['https://a*a.example'], 'https://aa.example', 'https://aa.example'],
    [['https://*.app.*'], 'https://one.app.example', undefined],
    [['https://*.app.*'], 'https://one.app.', undefined],
    [['https://*.app.example'], 'http://one.app.example', undefined],
    [['HTTPS://APP.example'], 'https://app.example', 'https://app.example'],
    [['app.example'], 'https://app.example:444', 'https://app.example:444'],
    [['app.example:444'], 'https://app.example', undefined],
    [['null'], 'null', 'null'],
    [['*'], 'https://any.example', '*'],
    [['*'], 'null', '*'],
  ])('--http.corsdomain %j lets the page %s read: %s', async (corsOrigins, origin, allowed) => {
    const port = await start({ corsOrigins });
    const answer = await raw(port, { headers: { origin }, body });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([allowed ? 200 : 403, allowed]);
    expect(await upgrade(port, { Origin: origin })).toBe(allowed ? 101 : 403);
  });

  it('let a preflight pass without a token, and a page read the refusal of its token', async () => {
    const jwtSecret = Buffer.alloc(32, 7);
    const port = await start({ jwtSecret });
    const origin = 'http://localhost:3000';
    const token = { authorization: jwtBearer(jwtSecret)() };
    expect((await raw(port, { method: 'OPTIONS', headers: { origin } })).status).toBe(204);
    const refused = await raw(port, { headers: { origin }, body });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, origin]);
    expect((await raw(port, { headers: { origin, ...token }, body })).status).toBe(200);
    expect((await raw(port, { headers: { ...token, host: 'evil.example' }, body })).status).toBe(403);
    expect((await raw(port, { headers: { ...token, origin: 'https://evil.example' }, body })).status).toBe(403);
    expect(await upgrade(port, { Origin: origin })).toBe(401);
  });
});

describe('access control', () => {
  const request = (method: string, headers: IncomingMessage['headers']) =>
    Object.assign(new IncomingMessage(new Socket()), { method, headers: { host: 'localhost', ...headers } });
  const cors = (method: string, headers: IncomingMessage['headers']) => {
    const message = request(method, headers);
    const response = new ServerResponse(message);
    const isAnswer = accessControl({}).answerCors(message, response);
    return { isAnswer, status: response.headersSent ? response.statusCode : undefined, headers: response.getHeaders() };
  };
  const origin = 'http://localhost:3000';
  const vary =
    'origin, access-control-request-method, access-control-request-headers, access-control-request-private-network';

  it.each([
    ['POST', {}, false, {}],
    ['POST', { origin }, false, { 'access-control-allow-origin': origin }],
    ['OPTIONS', {}, true, {}],
    [
      'OPTIONS',
      { origin, 'access-control-request-private-network': 'false' },
      true,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST, GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      },
    ],
  ])('answers %s with %j: %s, by exactly the headers of the Fetch standard', (method, headers, isAnswer, allowed) => {
    expect(cors(method, headers)).toEqual({
      isAnswer,
      status: isAnswer ? 204 : undefined,
      headers: { vary, ...allowed },
    });
  });

  it('needs a token for every method but OPTIONS', () => {
    const { refusal } = accessControl({ jwtSecret: Buffer.alloc(32, 7) });
    expect(refusal(request('POST', {}))).toMatchObject({ status: 401 });
    expect(refusal(request('OPTIONS', {}))).toBe(undefined);
  });
});

it('the server is told why it refuses a token, and says its skewed time', async () => {
  const jwtSecret = Buffer.alloc(32, 7);
  const reasons: string[] = [];
  const port = await start({ jwtSecret, onRefusedToken: (reason) => reasons.push(reason) });
  const ask = (authorization: string) =>
    fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
  expect((await ask(jwtBearer(jwtSecret)())).status).toBe(200);
  setSkew(70_000);
  try {
    const ahead = jwtBearer(jwtSecret)();
    setSkew(0);
    const answer = await ask(ahead);
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('stale token')]);
    // Its own clock is in the answer, for the client to compare.
    setSkew(3_600_000);
    const date = Date.parse((await ask(ahead)).headers.get('date') ?? '');
    expect(date).toBeGreaterThan(Date.now() + 3_000_000);
  } finally {
    setSkew(0);
  }
  expect(reasons).toHaveLength(2);
});
