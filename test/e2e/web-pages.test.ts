import { createPublicClient, createTestClient, http, publicActions, webSocket } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw, upgrade } from '../rpc/raw.ts';
import { freePort } from '../system/free-port.ts';
import { foundry, Home, node, rpc, run, type Status } from './devnet.ts';

/** Everything that a network serves, asked as a foreign page, a local page and a program would ask. */
describe('a network and web pages', () => {
  let home: Home;
  let status: Status;
  let extra: { metrics: number; pprof: number; interop: number };
  const OPENED = { 'http.vhosts': 'devnet.example', 'http.corsdomain': 'https://app.example' };

  beforeAll(async () => {
    home = new Home();
    const [metrics, pprof, interop] = (await Promise.all([freePort(), freePort(), freePort()])) as [
      number,
      number,
      number,
    ];
    extra = { metrics, pprof, interop };
    const telemetry = {
      'metrics.enabled': true,
      'metrics.addr': '127.0.0.1',
      'metrics.port': metrics,
      'pprof.enabled': true,
      'pprof.addr': '127.0.0.1',
      'pprof.port': pprof,
      'interop.rpc.addr': '127.0.0.1',
      'interop.rpc.port': interop,
      'interop.jwt-secret': `${home.folder}/interop.hex`,
    };
    const spec = home.spec('pages', {
      version: 1,
      name: 'pages',
      ports: 'auto',
      chains: {
        main: {
          blockTime: 1,
          batcher: { args: { 'rpc.enable-admin': true } },
          proposer: { args: OPENED },
          nodes: {
            sequencer: { role: 'sequencer', el: 'execution-rust', cl: { args: telemetry } },
            verifier: {
              el: { client: 'execution-go', args: { ...OPENED, 'ws.origins': 'https://app.example' } },
              cl: { args: OPENED },
            },
          },
        },
      },
    });
    status = await home.up(spec);
  }, 120_000);
  afterAll(async () => home?.[Symbol.asyncDispose]());

  const portOf = (url: string) => Number(new URL(url).port);
  const part = (name: 'batcher' | 'proposer') =>
    (status.chains[0] as unknown as Record<string, { rpc: string }>)[name]!.rpc;

  interface Served {
    readonly port: number;
    /** How a plain request is answered; a WebSocket port answers HTTP with 404. */
    readonly http: number;
    /** How a WebSocket is answered; undefined: with 404, there is none. */
    readonly ws?: number;
  }

  /** Every port of the network with what it answers to those it serves. */
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

  it.each(KINDS)('%s serves loopback names and pages on loopback, and no others', async (kind) => {
    const { port, http: served, ws = 404 } = ports()[kind]!;
    const found: string[] = [];
    const wanted: string[] = [];
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
        found.push(`${row} ${answer.status} ${answer.headers['access-control-allow-origin']}`);
        wanted.push(`${row} ${isServed ? served : 403} ${isServed ? origin : undefined}`);
        const opened = await upgrade(port, { Host: host, ...(origin === undefined ? {} : { Origin: origin }) });
        found.push(`${row} WebSocket ${opened}`);
        wanted.push(`${row} WebSocket ${ws === 404 ? 404 : isServed ? ws : 403}`);
      }
    expect(found).toEqual(wanted);
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

  it('a foreign name stops neither sequencer nor batcher, and resets no L1', async () => {
    const asked: [string, string][] = [
      [node(status, 'sequencer').cl.rpc, 'admin_stopSequencer'],
      [part('batcher'), 'admin_stopBatcher'],
      [status.l1.rpc, 'anvil_reset'],
    ];
    for (const [url, method] of asked) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
      const port = portOf(url);
      expect((await raw(port, { headers: { host: `evil.example:${port}` }, body: text })).status).toBe(403);
      expect((await raw(port, { headers: { origin: 'https://evil.example' }, body: text })).status).toBe(403);
    }
    expect(await rpc(node(status, 'sequencer').cl.rpc, 'admin_sequencerActive')).toBe(true);
    expect(Number(await rpc(status.l1.rpc, 'eth_blockNumber'))).toBeGreaterThan(0);
  });

  it('cast and viem use L1 through its gate: anvil’s own methods, batches, large bodies, subscriptions', async () => {
    const address = '0x00000000000000000000000000000000000cafe1';
    const test = createTestClient({ mode: 'anvil', transport: http(status.l1.rpc) }).extend(publicActions);
    await test.setBalance({ address, value: 5n });
    expect(await run(foundry('cast'), ['balance', address, '--rpc-url', status.l1.rpc])).toBe('5');
    expect(await run(foundry('cast'), ['balance', address, '--rpc-url', status.l1.ws])).toBe('5');
    // More than anvil takes unless told otherwise.
    const bytecode: `0x${string}` = `0x${'60'.repeat(3_000_000)}`;
    await test.setCode({ address, bytecode });
    const batching = createPublicClient({ transport: http(status.l1.rpc, { batch: { batchSize: 200 } }) });
    const answers = await Promise.all(Array.from({ length: 200 }, () => batching.getBalance({ address })));
    expect(new Set(answers)).toEqual(new Set([5n]));
    const watcher = createPublicClient({ transport: webSocket(status.l1.ws, { reconnect: false }) });
    expect(await watcher.getCode({ address })).toBe(bytecode);
    const seen: bigint[] = [];
    const stop = watcher.watchBlockNumber({ onBlockNumber: (number) => seen.push(number) });
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    stop();
    (await watcher.transport.getRpcClient()).close();
  });
});
