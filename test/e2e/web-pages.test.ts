import { readFileSync } from 'node:fs';
import { Wallet, WebSocketProvider } from 'ethers';
import { createPublicClient, createTestClient, http, publicActions, webSocket } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { raw, upgrade } from '../rpc/raw.ts';
import { foundry, Home, node, rpc, run, type Status } from './devnet.ts';
import { BROWSER, runInPage } from './support/browser.ts';
import { listenersOf } from './support/listeners.ts';

/** An account that only one test uses. */
const STRANGER = '0x00000000000000000000000000000000000cafe9';

/** Calls every port of a network as a foreign page, a local page and a program. */
describe('a network and web pages', () => {
  let home: Home;
  let status: Status;
  let extra: { metrics: number; pprof: number; interop: number };
  const OPENED = { 'http.vhosts': 'devnet.example', 'http.corsdomain': 'https://app.example,app.test' };

  beforeAll(async () => {
    home = new Home();
    // Everything that an argument switches on. The plan has the ports; an address of interop switches it on.
    const telemetry = {
      'metrics.enabled': true,
      'pprof.enabled': true,
      'interop.rpc.addr': '127.0.0.1',
      'interop.jwt-secret': `${home.folder}/interop.hex`,
    };
    const spec = home.spec('pages', {
      version: 1,
      name: 'pages',
      ports: 'auto',
      l1: { blockTime: 1, onExit: 'restart' },
      chains: {
        main: {
          blockTime: 1,
          batcher: { args: { 'rpc.enable-admin': true } },
          proposer: { args: OPENED },
          nodes: {
            sequencer: { role: 'sequencer', el: 'execution-rust', cl: { args: telemetry } },
            verifier: {
              el: { client: 'execution-go', args: { ...OPENED, 'ws.origins': 'https://app.example' } },
              cl: { args: { ...OPENED, ...telemetry, 'pprof.enabled': false, 'p2p.no-discovery': null } },
            },
          },
        },
      },
    });
    status = await home.up(spec);
    const { tasks } = await home.json<Plan>('plan', '--name', 'pages');
    const planned = tasks.find(({ id }) => id === 'main/sequencer/cl')?.ports ?? [];
    extra = Object.fromEntries(planned.map(({ name, port }) => [name, port])) as typeof extra;
  });
  afterAll(async () => home?.[Symbol.asyncDispose]());

  const portOf = (url: string) => Number(new URL(url).port);
  const part = (name: 'batcher' | 'proposer') =>
    (status.chains[0] as unknown as Record<string, { rpc: string }>)[name]!.rpc;

  interface Served {
    readonly port: number;
    /** The answer to a plain request. A WebSocket port answers HTTP with 404. */
    readonly http: number;
    /** The answer to a WebSocket. undefined: 404, the port has none. */
    readonly ws?: number;
  }

  /** Every port of the network with its answer to a request that it serves. */
  function ports(): Readonly<Record<string, Served>> {
    const { el, cl } = node(status, 'sequencer');
    return {
      'the gate of L1': { port: portOf(status.l1.rpc), http: 200, ws: 101 },
      'the beacon': { port: portOf(status.l1.beacon), http: 404 },
      'execution client, HTTP': { port: portOf(el.http), http: 200 },
      'execution client, WebSocket': { port: portOf(el.ws), http: 404, ws: 101 },
      'execution client, engine': { port: portOf(el.engine), http: 401, ws: 401 },
      'rollup node': { port: portOf(cl.rpc), http: 200, ws: 101 },
      metrics: { port: extra.metrics, http: 200 },
      pprof: { port: extra.pprof, http: 404 },
      interop: { port: extra.interop, http: 401, ws: 401 },
      batcher: { port: portOf(part('batcher')), http: 200 },
    };
  }

  const body = '{"jsonrpc":"2.0","id":1,"method":"rpc_modules","params":[]}';
  const KINDS = [
    'the gate of L1',
    'the beacon',
    'execution client, HTTP',
    'execution client, WebSocket',
    'execution client, engine',
    'rollup node',
    'metrics',
    'pprof',
    'interop',
    'batcher',
  ];

  it.skipIf(process.platform !== 'linux')('no process listens beyond loopback', () => {
    const listeners = listenersOf(home.leftovers().map((line) => Number.parseInt(line, 10)));
    expect(listeners.length).toBeGreaterThan(10);
    expect(listeners.filter((address) => !/^(127\.|::1$|::ffff:127\.)/.test(address))).toEqual([]);
  });

  it.each(KINDS)('%s serves loopback names and pages on loopback, and no others', async (kind) => {
    const { port, http: served, ws = 404 } = ports()[kind]!;
    const answers: string[] = [];
    const expected: string[] = [];
    for (const [host, isHost] of [
      [`localhost:${port}`, true],
      [`127.0.0.1:${port}`, true],
      [`[::1]:${port}`, true],
      ['app.localhost', true],
      [`evil.example:${port}`, false],
      [`localhost.evil.example:${port}`, false],
      [`10.0.0.1:${port}`, false],
      ['devnet.example', false],
    ] as const)
      for (const [origin, isPage] of [
        [undefined, true],
        ['http://localhost:3000', true],
        ['http://127.0.0.1:5173', true],
        [`http://evil.example:${port}`, false],
        ['https://app.example', false],
        ['null', false],
      ] as const) {
        const row = `${host} ${origin}`;
        const isServed = isHost && isPage;
        const headers = { host, ...(origin === undefined ? {} : { origin }) };
        const answer = await raw(port, { headers, body, path: kind === 'pprof' ? '/none' : '/' });
        answers.push(`${row} ${answer.status} ${answer.headers['access-control-allow-origin']}`);
        expected.push(`${row} ${isServed ? served : 403} ${isServed ? origin : undefined}`);
        const opened = await upgrade(port, { Host: host, ...(origin === undefined ? {} : { Origin: origin }) });
        answers.push(`${row} WebSocket ${opened}`);
        expected.push(`${row} WebSocket ${ws === 404 ? 404 : isServed ? ws : 403}`);
      }
    expect(answers).toEqual(expected);
  });

  it('--http.vhosts, --http.corsdomain: open every port of a program to a name and to pages', async () => {
    const verifier = node(status, 'verifier');
    for (const url of [verifier.cl.rpc, verifier.el.http, part('proposer')]) {
      const ask = (headers: Record<string, string>) => raw(portOf(url), { headers, body });
      expect((await ask({ host: 'devnet.example:1' })).status).toBe(200);
      expect((await ask({ host: 'other.example' })).status).toBe(403);
      const page = await ask({ origin: 'https://app.example' });
      expect([page.status, page.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example']);
      expect((await ask({ origin: 'https://other.example' })).status).toBe(403);
    }
    for (const url of [verifier.cl.rpc, verifier.el.ws]) {
      expect(await upgrade(portOf(url), { Origin: 'https://app.example' })).toBe(101);
      expect(await upgrade(portOf(url), { Origin: 'https://other.example' })).toBe(403);
    }
  });

  it('a request with a foreign name stops neither sequencer nor batcher, and resets no L1', async () => {
    const requests: [string, string][] = [
      [node(status, 'sequencer').cl.rpc, 'admin_stopSequencer'],
      [part('batcher'), 'admin_stopBatcher'],
      [status.l1.rpc, 'anvil_reset'],
    ];
    for (const [url, method] of requests) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
      const port = portOf(url);
      expect((await raw(port, { headers: { host: `evil.example:${port}` }, body: text })).status).toBe(403);
      expect((await raw(port, { headers: { origin: 'https://evil.example' }, body: text })).status).toBe(403);
    }
    expect(await rpc(node(status, 'sequencer').cl.rpc, 'admin_sequencerActive')).toBe(true);
    expect(Number(await rpc(status.l1.rpc, 'eth_blockNumber'))).toBeGreaterThan(0);
  });

  const hashOf = async (number: number) =>
    (await rpc<{ hash: string } | null>(status.l1.rpc, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false))
      ?.hash;

  // Runs before the next tests: blocks on a state that no transaction made cannot be replayed.
  it('L1 keeps public address and chain when anvil or l1-beacon is killed, and over stop and start', async () => {
    interface Running {
      readonly tasks: Readonly<Record<string, { readonly phase: string; readonly process?: { readonly pid: number } }>>;
    }
    const folder = (status as unknown as { folder: string }).folder;
    const file = <T>(name: string) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as T;
    const pidOf = (task: string) => file<Running>('state.json').tasks[task]!.process!.pid;
    const l1 = () => file<{ network: { l1: { rpc: string; direct: { rpc: string } } } }>('plan.json').network.l1;
    const place = l1();
    expect(new URL(place.direct.rpc).hostname).toMatch(/^127\.(?!0\.)/);
    const head = Number(await rpc(status.l1.rpc, 'eth_blockNumber'));
    const hash = await hashOf(head);
    // All earlier blocks are there: the rollup nodes stop if L1 is behind its final block.
    const answers = () => expect.poll(() => hashOf(head).catch(() => null)).toBe(hash);

    process.kill(pidOf('l1'), 'SIGKILL');
    await answers();
    const beacon = pidOf('l1-beacon');
    process.kill(beacon, 'SIGKILL');
    await expect.poll(() => pidOf('l1-beacon')).not.toBe(beacon);
    await answers();
    await expect.poll(async () => (await home.json<Status>('status')).phase).toBe('ready');

    expect(await home.devnet('stop')).toMatchObject({ code: 0 });
    await expect(rpc(status.l1.rpc, 'eth_chainId')).rejects.toThrow('fetch failed');
    expect(await home.devnet('start')).toMatchObject({ code: 0 });
    await answers();
    expect(l1()).toEqual(place);
  });

  it('cast and viem use L1 through its gate: anvil’s own methods, batches, large bodies, subscriptions', async () => {
    const address = '0x00000000000000000000000000000000000cafe1';
    const test = createTestClient({ mode: 'anvil', transport: http(status.l1.rpc) }).extend(publicActions);
    await test.setBalance({ address, value: 5n });
    expect(await run(foundry('cast'), ['balance', address, '--rpc-url', status.l1.rpc])).toBe('5');
    expect(await run(foundry('cast'), ['balance', address, '--rpc-url', status.l1.ws])).toBe('5');
    // More than anvil's default limit.
    const bytecode: `0x${string}` = `0x${'60'.repeat(3_000_000)}`;
    await test.setCode({ address, bytecode });
    const batching = createPublicClient({ transport: http(status.l1.rpc, { batch: { batchSize: 200 } }) });
    const answers = await Promise.all(Array.from({ length: 200 }, () => batching.getBalance({ address })));
    expect(new Set(answers)).toEqual(new Set([5n]));
    const watcher = createPublicClient({ transport: webSocket(status.l1.ws, { reconnect: false }) });
    expect(await watcher.getCode({ address })).toBe(bytecode);
    const numbers: bigint[] = [];
    const stop = watcher.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number) });
    await expect.poll(() => numbers.length).toBeGreaterThan(1);
    stop();
    (await watcher.transport.getRpcClient()).close();
  });

  it('ethers subscribes to L1 through its gate and sends a transaction', async () => {
    const provider = new WebSocketProvider(status.l1.ws);
    try {
      const wallet = new Wallet(status.chains[0]!.accounts[5]!.privateKey, provider);
      const blocks: number[] = [];
      await provider.on('block', (number: number) => blocks.push(number));
      const to = '0x00000000000000000000000000000000000cafe2';
      expect((await (await wallet.sendTransaction({ to, value: 7n })).wait())?.status).toBe(1);
      expect(await provider.getBalance(to)).toBe(7n);
      await expect.poll(() => blocks.length).toBeGreaterThan(1);
    } finally {
      await provider.destroy();
    }
  });

  const inBrowser = BROWSER === undefined ? it.skip : it;
  const needed = BROWSER === undefined ? ' (skipped: no chromium here; apt-get install chromium)' : '';

  inBrowser(`pages in a browser: on loopback they use every node, a foreign one none${needed}`, async () => {
    const sequencer = node(status, 'sequencer');
    const verifier = node(status, 'verifier');
    const script = `
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc_modules', params: [] });
      const headers = { 'content-type': 'application/json' };
      const ask = (url) => fetch(url, { method: 'POST', headers, body }).then(({ status }) => status, () => 'refused');
      const open = (url) => new Promise((done) => {
        const socket = new WebSocket(url);
        socket.onopen = () => done('open');
        socket.onerror = () => done('refused');
      });
      const set = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setNonce', params: ['${STRANGER}', '0x7'] });
      await fetch('${status.l1.rpc}', { method: 'POST', mode: 'no-cors', body: set }).catch(() => {});
      return {
        l1: await ask('${status.l1.rpc}'),
        named: await ask('http://' + location.hostname + ':${portOf(status.l1.rpc)}'),
        execution: await ask('${sequencer.el.http}'),
        rollup: await ask('${sequencer.cl.rpc}'),
        opened: await ask('${verifier.el.http}'),
        sockets: [
          await open('${status.l1.ws}'),
          await open('${sequencer.el.ws}'),
          await open('${sequencer.cl.rpc.replace('http', 'ws')}'),
        ],
      };`;
    const all = { l1: 200, named: 200, execution: 200, rollup: 200, opened: 200, sockets: ['open', 'open', 'open'] };
    const none = {
      l1: 'refused',
      named: 'refused',
      execution: 'refused',
      rollup: 'refused',
      opened: 'refused',
      sockets: ['refused', 'refused', 'refused'],
    };
    expect(await runInPage('localhost', script)).toEqual(all);
    expect(await runInPage('evil.test', script)).toEqual(none);
    expect(await runInPage('app.test', script)).toEqual({ ...none, opened: 200 });
    expect(Number(await rpc(status.l1.rpc, 'eth_getTransactionCount', STRANGER, 'latest'))).toBe(0);
  });

  it('an argument of a later restart opens a port that is reserved for it', async () => {
    const restart = await home.devnet('node', 'restart', 'verifier.cl', '--arg', 'pprof.enabled=true');
    expect(restart, restart.stderr).toMatchObject({ code: 0 });
    const { tasks } = await home.json<Plan>('plan', '--name', 'pages');
    const of = (id: string) => tasks.find((task) => task.id === id)?.ports.find(({ name }) => name === 'pprof')?.port;
    expect(of('main/verifier/cl')).not.toBe(of('main/sequencer/cl'));
    expect((await fetch(`http://127.0.0.1:${of('main/verifier/cl')}/debug/pprof/`)).status).toBe(200);
  });
});
