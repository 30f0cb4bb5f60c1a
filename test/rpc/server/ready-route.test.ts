import { IncomingMessage, request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { readyRoute } from '../../../src/rpc/server/ready-route.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';

const servers: RunningServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serving(unready?: () => string | undefined): Promise<string> {
  const route = readyRoute(unready);
  const options = { host: '127.0.0.1', port: 0, http: true, websocket: false, methods: {}, context: undefined, route };
  const server = await serve(options);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

it('a program that is ready answers 200, and one that is not 503 with the reason', async () => {
  let reason: string | undefined = '0 of 1 static peers are connected';
  const url = await serving(() => reason);
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await ask('/readyz')).toBe('503 0 of 1 static peers are connected\n');
  reason = undefined;
  for (const path of ['/readyz', '/readyz/', '/readyz?verbose']) expect(await ask(path)).toBe('200 ready\n');
  expect(await ask('/readyz', 'HEAD')).toBe('200 ');
});

it('other paths and methods reach the RPC as before, and an unknown Host is refused', async () => {
  const url = await serving();
  expect((await fetch(`${url}/readyzz`)).status).toBe(200);
  expect(await (await fetch(`${url}/`)).text()).not.toBe('ready\n');
  const body = '{"jsonrpc":"2.0","id":1,"method":"none"}';
  const answer = await fetch(`${url}/readyz`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
  const { port } = new URL(url);
  const status = await new Promise((resolve) =>
    request({ port, path: '/readyz', headers: { host: 'other.example' } }, ({ statusCode }) =>
      resolve(statusCode),
    ).end(),
  );
  expect(status).toBe(403);
});

it.each([
  ['GET', '/readyz', true],
  ['HEAD', '/readyz?a', true],
  ['POST', '/readyz', false],
  ['GET', '/a/readyz', false],
  ['GET', undefined, false],
])('the route of readiness takes %s %s: %s', (method, url, expected) => {
  const message = Object.assign(new IncomingMessage(new Socket()), { method, ...(url === undefined ? {} : { url }) });
  expect(readyRoute()(message, new ServerResponse(message))).toBe(expected);
});

it('an answer about readiness is text of its length that no cache keeps', async () => {
  const { headers } = await fetch(`${await serving(() => 'är inte redo')}/readyz`);
  expect([headers.get('content-type'), headers.get('content-length'), headers.get('cache-control')]).toEqual([
    'text/plain; charset=utf-8',
    '14',
    'no-store',
  ]);
});
