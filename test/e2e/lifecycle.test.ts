import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Home, node, rpc, type Status } from './devnet.ts';

const small = (name: string, extra: object = {}) => ({
  version: 1,
  name,
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      proposer: false,
      nodes: { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-rust' } },
    },
  },
  ...extra,
});

/** Moments of a start: the number of processes with the devnet's stamp, then ready. */
const MOMENTS = [0, 1, 2, 4, 6, 8, 'ready'] as const;

const head = async (url: string) => Number(await rpc<string>(url, 'eth_blockNumber'));

describe('a devnet', () => {
  it('is ready with its endpoints, one block 1 and peers; a second up is refused or reuses it', async () => {
    await using home = new Home();
    const spec = home.spec('ready', small('ready'));
    const status = await home.up(spec);
    expect(status.phase).toBe('ready');
    expect(Object.keys(status.stamps)).toEqual(expect.arrayContaining(['parsed', 'spawned', 'answering', 'agreed']));
    const [chain] = status.chains;
    expect(Number(await rpc<string>(status.l1.rpc, 'eth_chainId'))).toBe(status.l1.chainId);
    const hashes = new Set<string>();
    for (const { el, cl } of chain!.nodes) {
      expect(Number(await rpc<string>(el.http, 'eth_chainId'))).toBe(chain!.chainId);
      expect((await rpc<{ hash: string }>(el.http, 'eth_getBlockByNumber', '0x0', false)).hash).toBe(
        chain!.genesisHash,
      );
      hashes.add((await rpc<{ hash: string }>(el.http, 'eth_getBlockByNumber', '0x1', false)).hash);
      expect((await rpc<{ totalConnected: number }>(cl.rpc, 'opp2p_peers', true)).totalConnected).toBe(1);
      expect((await rpc<{ genesis: { l2: { hash: string } } }>(cl.rpc, 'optimism_rollupConfig')).genesis.l2.hash).toBe(
        chain!.genesisHash,
      );
    }
    expect(hashes.size).toBe(1);
    const second = await home.devnet('up', spec, '-d');
    expect(second.code).toBe(5);
    expect(second.stderr).toContain('devnet down ready');
    expect((await home.devnet('up', spec, '-d', '--reuse')).code).toBe(0);
    expect((await home.devnet('down')).code).toBe(0);
    expect(home.leftovers()).toEqual([]);
    expect((await home.devnet('down', 'ready')).code).toBe(0);
    expect(existsSync(join(home.env['DEVNET_HOME']!, 'ready'))).toBe(false);
  });

  it('goes on from the same head after stop and start, its clock set back by the pause; a node, too', async () => {
    await using home = new Home();
    const status = await home.up(home.spec('pause', small('pause')));
    const url = node(status, 'verifier').el.http;
    const phase = async () => (await home.json<Status>('status')).phase;
    expect((await home.devnet('wait', 'safe:3', '--timeout', '300s')).code).toBe(0);
    const stopping = Date.now();
    expect((await home.devnet('stop')).code).toBe(0);
    const stopped = Date.now();
    expect(home.leftovers()).toEqual([]);
    expect((await home.json<Status>('status')).phase).toBe('stopped');
    const starting = Date.now();
    const started = await home.devnet('start');
    expect(started.stderr).not.toMatch(/error/i);
    expect(started.code).toBe(0);
    await expect.poll(phase).toBe('ready');
    const { offsetMs } = await home.json<Status>('status');
    expect(-offsetMs).toBeGreaterThanOrEqual(starting - stopped);
    expect(-offsetMs).toBeLessThan(Date.now() - stopping);
    const block = await rpc<{ timestamp: string }>(url, 'eth_getBlockByNumber', 'latest', false);
    expect(Number(block.timestamp) * 1000).toBeLessThanOrEqual(Date.now() + offsetMs + 1000);
    const now = await head(url);
    expect((await home.devnet('wait', `safe:${now + 2}`, '--timeout', '300s')).code).toBe(0);
    await home.agrees();

    // A restarted node does not wait for a stopped peer.
    for (const name of ['verifier', 'sequencer']) expect((await home.devnet('node', 'stop', name)).code).toBe(0);
    expect(await home.devnet('node', 'start', 'verifier')).toMatchObject({ code: 0 });
    expect(await home.devnet('node', 'start', 'sequencer')).toMatchObject({ code: 0 });
    await expect.poll(phase).toBe('ready');
    const { cl } = node(await home.json<Status>('status'), 'sequencer');
    const peers = () => rpc<{ totalConnected: number }>(cl.rpc, 'opp2p_peers', true);
    await expect.poll(async () => (await peers()).totalConnected).toBe(1);
  });

  it('ends when a node is killed with onExit: fail, and reports its command and last lines', async () => {
    await using home = new Home();
    const up = home.start('up', home.spec('killed', small('killed')));
    let stderr = '';
    up.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    await expect.poll(async () => (await home.devnet('status', '--json')).stdout).toContain('"ready"');
    const status = await home.json<Status>('status');
    const closed = new Promise<number | null>((done) => up.on('close', done));
    process.kill(node(status, 'verifier').el.pid, 'SIGKILL');
    expect(await closed).toBe(1);
    expect(stderr).toMatch(/verifier/);
    expect(stderr).toMatch(/execution-client/);
    expect(stderr).toMatch(/SIGKILL/);
    await expect.poll(() => home.leftovers(), { timeout: 60_000 }).toEqual([]);
  });

  it('restarts a killed node with onExit: restart, and the node catches up', async () => {
    await using home = new Home();
    const spec = small('again');
    const status = await home.up(
      home.spec('again', { ...spec, chains: { main: { ...spec.chains.main, onExit: 'restart' } } }),
    );
    const verifier = node(status, 'verifier');
    process.kill(verifier.el.pid, 'SIGKILL');
    await expect.poll(async () => node(await home.json<Status>('status'), 'verifier').el.pid).not.toBe(verifier.el.pid);
    const target = (await head(node(status, 'sequencer').el.http)) + 2;
    await expect.poll(() => head(verifier.el.http).catch(() => 0)).toBeGreaterThanOrEqual(target);
    await home.agrees();
  });

  it.each([
    ['SIGINT', MOMENTS],
    ['SIGTERM', [4]],
    ['SIGHUP', [4]],
  ] as const)('an attached up ended by %s at any moment leaves nothing behind', async (signal, moments) => {
    await using home = new Home();
    const spec = home.spec('signal', small('signal'));
    for (const moment of moments) {
      const up = home.start('up', spec);
      const closed = new Promise<number | null>((done) => up.on('close', done));
      let stderr = '';
      up.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part));
      await expect
        .poll(() => (moment === 'ready' ? stderr.includes('is ready') : home.leftovers().length >= moment), {
          interval: 25,
          timeout: 120_000,
        })
        .toBe(true);
      up.kill(signal);
      const code = await closed;
      // The command may die of the signal before it listens.
      expect([130, 143, null]).toContain(code);
      await expect.poll(() => home.leftovers(), { timeout: 60_000, interval: 20 }).toEqual([]);
    }
    if (signal === 'SIGINT') expect((await home.up(spec)).phase).toBe('ready');
  });

  it('fails on a fixed port in use with its holder; a preferred port moves with a notice', async () => {
    await using home = new Home();
    const foreign = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => foreign.once('listening', done));
    const { port } = foreign.address() as { port: number };
    try {
      const spec = small('ports');
      const fixed = home.spec('fixed', { ...spec, ports: 'fixed', l1: { ...spec.l1, port } });
      const refused = await home.devnet('up', fixed, '-d');
      expect(refused.code).toBe(4);
      expect(refused.stderr).toContain(String(port));
      expect(refused.stderr).toContain(String(process.pid));
      await expect.poll(() => home.leftovers(), { timeout: 60_000, interval: 20 }).toEqual([]);
    } finally {
      foreign.close();
    }
  });

  it('fails with a clear error if the state folder is not writable', async () => {
    await using home = new Home();
    mkdirSync(join(home.folder, 'home'), { recursive: true });
    const outcome = await new Home({ DEVNET_HOME: '/proc/none' }).devnet(
      'up',
      home.spec('nowhere', small('nowhere')),
      '-d',
    );
    expect(outcome.code).toBe(4);
    expect(outcome.stderr).toContain('/proc/none');
  });
});
