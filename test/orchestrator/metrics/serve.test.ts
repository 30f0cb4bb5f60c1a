import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { once, serveMetrics } from '../../../src/orchestrator/metrics/serve.ts';
import type { RunningServer } from '../../../src/rpc/server/listener.ts';

let server: RunningServer;
let measured = 0;
beforeAll(async () => {
  const text = async () => {
    measured += 1;
    return 'devnet_up 1\n';
  };
  server = await serveMetrics(0, { contentType: 'text/plain; version=0.0.4', text, targets: () => [] }, 600_000);
});
afterAll(() => server.close());

function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  port = server.port,
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part)).on('end', () => resolve([response.statusCode ?? 0, text]));
    });
    call.on('error', reject).end();
  });
}

it('the metrics server serves loopback alone, and measures once for a flood', async () => {
  const flood = await Promise.all(Array.from({ length: 20 }, () => get('/metrics')));
  expect(new Set(flood.map(String))).toEqual(new Set(['200,devnet_up 1\n']));
  expect(await get('/targets')).toEqual([200, '[]']);
  expect((await get('/metrics', { host: 'evil.example' }))[0]).toBe(403);
  expect((await get('/metrics', { origin: 'https://evil.example' }))[0]).toBe(403);
  expect((await get('/metrics', {}, 'DELETE'))[0]).toBe(405);
  expect((await get('/'))[0]).toBe(404);
  expect(measured).toBe(1);
});

it('the metrics server says why it cannot measure', async () => {
  const text = () => Promise.reject(new Error('the devnet is gone'));
  const broken = await serveMetrics(0, { contentType: 'text/plain', text, targets: () => [] }, 0);
  expect(await get('/metrics', {}, 'GET', broken.port)).toEqual([503, 'the devnet is gone\n']);
  await broken.close();
});

it('a requested port that is taken is an error, with what to do', async () => {
  const source = { contentType: '', text: async () => '', targets: () => [] };
  await expect(serveMetrics(server.port, source)).rejects.toMatchObject({ code: 'port', exit: 4 });
});

it('an answer counts as new from its arrival, not from its request', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let reads = 0;
  const shared = once(() => answers[reads++]?.promise ?? Promise.resolve(0), 60_000);
  const [a, b] = [shared(), shared()];
  expect(reads).toBe(1);
  answers[0]?.resolve(7);
  expect(await Promise.all([a, b])).toEqual([7, 7]);
  expect(await shared()).toBe(7);
  expect(reads).toBe(1);
});
