import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Home, node, rpc } from './devnet.ts';

interface Head {
  readonly number: number;
  readonly hash: string;
}

const LATE_TEMPLATES = { go: 'execution-go', rust: 'execution-rust' } as const;

it('fresh verifiers fetch from peers a chain that is not on L1 with syncmode=execution-layer', async () => {
  await using home = new Home();
  const late = (el: string) => ({
    el,
    peers: ['sequencer'],
    cl: { client: 'rollup-node', args: { syncmode: 'execution-layer' } },
  });
  const spec = home.spec('engine-sync', {
    version: 1,
    name: 'engine-sync',
    ports: 'auto',
    l1: { blockTime: 1 },
    chains: {
      main: {
        blockTime: 1,
        // Without batches there is nothing to derive.
        batcher: false,
        nodes: {
          sequencer: { role: 'sequencer', el: 'execution-go' },
          ...Object.fromEntries(Object.entries(LATE_TEMPLATES).map(([name, el]) => [name, late(el)])),
        },
      },
    },
  });
  const status = await home.up(spec);
  const folder = join(home.env['DEVNET_HOME']!, status.name);
  const sequencer = node(status, 'sequencer');
  for (const name of Object.keys(LATE_TEMPLATES)) {
    expect((await home.devnet('node', 'stop', name)).code).toBe(0);
    rmSync(join(folder, 'nodes', 'main', name, 'el', 'data'), { recursive: true, force: true });
    writeFileSync(join(folder, 'nodes', 'main', name, 'cl.log'), '');
  }
  const warp = await home.devnet('warp', '--to', 'block:100');
  expect(warp.code, warp.stderr).toBe(0);

  const blockOf = (url: string, number: number) =>
    rpc<Head | null>(url, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  for (const name of Object.keys(LATE_TEMPLATES)) {
    const { el, cl } = node(status, name);
    const start = await home.devnet('node', 'start', name);
    expect(start.code, start.stderr).toBe(0);
    expect((await home.devnet('wait', 'safe:100', `@${name}`, '--timeout', '300s')).code).toBe(0);
    const log = readFileSync(join(folder, 'nodes', 'main', name, 'cl.log'), 'utf8');
    expect(log).toContain('the engine syncs');
    const synced = Number(/the engine is synced" number=(\d+)/.exec(log)?.[1]);
    expect(synced).toBeGreaterThanOrEqual(100);
    const heads = await rpc<Record<'unsafe_l2' | 'safe_l2' | 'finalized_l2', Head>>(cl.rpc, 'optimism_syncStatus');
    // A block that an execution client synced to counts as final. Later blocks come by gossip.
    expect(heads.safe_l2.number).toBe(synced);
    expect(heads.finalized_l2.number).toBe(synced);
    for (const number of [1, 50, synced, heads.unsafe_l2.number])
      expect(await blockOf(el.http, number)).toMatchObject({ hash: (await blockOf(sequencer.el.http, number))!.hash });
  }
  await home.agrees();
}, 300_000);
