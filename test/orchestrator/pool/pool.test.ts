import { request } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import type { PoolNetwork } from '../../../src/orchestrator/pool/network.ts';
import { Networks } from '../../../src/orchestrator/pool/pool.ts';
import { servePool } from '../../../src/orchestrator/pool/server.ts';
import type { RunningServer } from '../../../src/rpc/server/listener.ts';
import { EXIT, Failure } from '../../../src/system/failure.ts';

/** A start that the test completes. */
interface Start {
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Lets it become ready. */
  ready(): void;
  fail(error: Error): void;
  /** Ends the network as a crash of its supervisor does. */
  crash(): void;
}

const MAX_NETWORKS = 2;
let server: RunningServer | undefined;
afterEach(() => server?.close());

/** Serves a pool whose starts the test completes. */
async function served() {
  const starts: Start[] = [];
  const downs: string[] = [];
  const networks = new Networks(MAX_NETWORKS, (worker, signal) => {
    const started = Promise.withResolvers<PoolNetwork>();
    const end = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => started.reject(signal.reason));
    const name = `${worker}-${starts.length}`;
    const down = async () => {
      downs.push(name);
      end.resolve();
    };
    const network = { name, env: { DEVNET_NAME: name }, end: end.promise, logs: () => ['a', 'b'], down };
    starts.push({
      ...{ worker, signal, crash: end.resolve, fail: started.reject },
      ready: () => started.resolve(network),
    });
    return started.promise;
  });
  server = await servePool(0, MAX_NETWORKS, networks);
  return { starts, downs, networks };
}

interface Call {
  readonly status: number | undefined;
  readonly text: string;
}

function ask(path: string, method = 'GET', headers = {}, body = ''): Promise<Call> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server?.port, path, method, headers, agent: false };
    const call = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    call.on('error', reject).end(body);
  });
}

const json = ({ text }: Call) => JSON.parse(text) as Record<string, unknown>;
const startOf = (starts: readonly Start[], at: number) =>
  vi.waitFor(() => {
    const start = starts[at];
    if (start === undefined) throw new Error(`start ${at} has not begun`);
    return start;
  });
const workersOf = (networks: Networks) => networks.list().map(({ worker, phase }) => `${worker} ${phase}`);

it('a worker has one network, however often and at once it is asked for', async () => {
  const { starts, networks } = await served();
  const requests = [ask('/gw0/start'), ask('/gw0/start', 'POST'), ask('/gw0/start?again')];
  (await startOf(starts, 0)).ready();
  expect((await Promise.all(requests)).map(json)).toEqual(Array(3).fill({ DEVNET_NAME: 'gw0-0' }));
  expect(starts).toHaveLength(1);
  expect(json(await ask('/'))).toEqual({
    limit: MAX_NETWORKS,
    workers: [{ worker: 'gw0', name: 'gw0-0', phase: 'ready' }],
  });
  expect(await ask('/gw0/logs')).toEqual({ status: 200, text: 'a\nb\n' });
  expect(workersOf(networks)).toEqual(['gw0 ready']);
});

it('stop, restart and a crash leave the place to a new network', async () => {
  const { starts, downs } = await served();
  const first = ask('/1/start');
  (await startOf(starts, 0)).ready();
  expect((await first).status).toBe(200);
  const again = ask('/1/restart');
  (await startOf(starts, 1)).ready();
  expect(json(await again)).toEqual({ DEVNET_NAME: '1-1' });
  expect(json(await ask('/1/stop'))).toEqual({ stopped: true });
  expect(json(await ask('/1/stop'))).toEqual({ stopped: false });
  expect(downs).toEqual(['1-0', '1-1']);
  const third = ask('/1/start');
  const start = await startOf(starts, 2);
  start.ready();
  await third;
  start.crash();
  await vi.waitFor(async () => expect(json(await ask('/'))['workers']).toEqual([]));
  expect(await ask('/1/logs')).toMatchObject({ status: 404, text: expect.stringContaining('start it by /1/start') });
});

it('a full pool, a stop during the start and a start that fails get different answers', async () => {
  const { starts } = await served();
  const one = ask('/1/start');
  const two = ask('/2/start');
  const [first, second] = [await startOf(starts, 0), await startOf(starts, 1)];
  expect(await ask('/3/start')).toMatchObject({ status: 429, text: expect.stringContaining('2 networks are up') });
  const stopped = ask(`/${first.worker}/stop`);
  expect(json(await stopped)).toEqual({ stopped: true });
  expect(first.signal.aborted).toBe(true);
  second.fail(new Failure('spec', 'no such fork', { exit: EXIT.usage, hint: 'name another', data: { line: 3 } }));
  const answers = [await one, await two].sort((a, b) => Number(a.status) - Number(b.status));
  expect(answers.map(({ status }) => status)).toEqual([400, 409]);
  expect(answers.map((answer) => json(answer)['error'])).toEqual([
    { code: 'spec', message: 'no such fork', hint: 'name another', data: { line: 3 } },
    { code: 'interrupted', message: 'the start was stopped before the network was ready', data: {} },
  ]);
  const third = ask('/3/start');
  (await startOf(starts, 2)).ready();
  expect((await third).status).toBe(200);
});

it('foreign pages, other addresses and bodies start nothing', async () => {
  const { starts } = await served();
  const refused = [
    ask('/1/start', 'GET', { host: 'evil.example' }),
    ask('/1/start', 'GET', { origin: 'https://evil.example' }),
    ask('/1/start', 'GET', { 'sec-fetch-site': 'cross-site' }),
    ask('/1/start', 'PUT'),
    ask('/1/start', 'POST', {}, '{}'),
    ask('/1/start', 'POST', {}, 'x'.repeat(17_000)),
    ...['/1', '/1/go', '//start', '/../start', '/%31/start', '/-/start', `/${'w'.repeat(40)}/start`].map((path) =>
      ask(path),
    ),
  ];
  const statuses = (await Promise.all(refused)).map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 403, 405, 400, 413, ...Array(7).fill(404)]);
  expect(starts).toEqual([]);
});

it('the end of a pool ends all networks, and those that start meanwhile', async () => {
  const { starts, downs, networks } = await served();
  const one = ask('/1/start');
  const two = ask('/2/start');
  const ready = await startOf(starts, 0);
  await startOf(starts, 1);
  ready.ready();
  await vi.waitFor(() => expect(networks.find(ready.worker)).toBeDefined());
  await networks.close();
  const answers = await Promise.all([one, two]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(downs).toHaveLength(1);
  expect(networks.list()).toEqual([]);
  expect((await ask('/1/start')).status).toBe(409);
});
