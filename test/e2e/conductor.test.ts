import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Devnet } from '../../src/library/index.ts';
import type { ConductorStatus } from '../../src/orchestrator/change/conductor.ts';
import { Home, root } from './devnet.ts';
import { newest, pids } from './support/reverts.ts';

const library = new URL(`file://${join(root, 'dist', 'library', 'index.mjs')}`).href;
const WAIT = { timeout: 120_000, interval: 50 };
const NAMES = ['s1', 's2', 's3'];

/**
 * Starts a network whose time a test moves, so that heights do not depend on the machine. A batcher would hold up each
 * step until another sequencer leads.
 */
async function startSet(home: Home, conductor: object): Promise<Devnet & AsyncDisposable> {
  const { startDevnet }: typeof import('../../src/library/index.ts') = await import(library);
  const nodes = Object.fromEntries(NAMES.map((name) => [name, { role: 'sequencer' as const }]));
  const main = { blockTime: 1, conductor, batcher: false, proposer: false, nodes } as const;
  const spec = { time: { clock: 'stepped' }, l1: { blockTime: 1 }, chains: { main } } as const;
  const folder = home.env['DEVNET_HOME'] ?? '';
  return startDevnet({ spec, ports: 'auto', name: 'conducted', home: folder, budget: 300_000 });
}

const setOf = (home: Home) => home.json<ConductorStatus>('conductor', 'status');

/** Waits until these nodes are at one height. */
const areAt = (net: Devnet, names: readonly string[], height: number) =>
  expect
    .poll(async () => {
      const heights = names.map((name) => net.node(name).public.getBlockNumber({ cacheTime: 0 }));
      return new Set(await Promise.all(heights));
    }, WAIT)
    .toEqual(new Set([BigInt(height)]));

const agrees = (net: Devnet) => expect.poll(() => net.check(), WAIT).toMatchObject({ agree: true });

it('a set of sequencers returns to a snapshot without a restart, with its lead, and goes on from there', async () => {
  await using home = new Home();
  // The lead does not change on a machine that stands still.
  await using net = await startSet(home, { args: { lease: '600s' } });
  await net.warp('+4s');
  const lead = await setOf(home);
  const height = lead.last?.number ?? 0;
  await areAt(net, NAMES, height);
  const moment = { snapshot: await net.snapshot(), heads: await newest(net), pids: await pids(net) };
  await net.warp('+3s');
  expect((await setOf(home)).last?.number).toBe(height + 3);
  await net.revert(moment.snapshot);
  const { leader, term, last } = await setOf(home);
  expect({ leader, term, last }).toEqual({ leader: lead.leader, term: lead.term, last: lead.last });
  await expect.poll(() => newest(net), WAIT).toEqual(moment.heads);
  expect(await pids(net)).toEqual(moment.pids);
  // The leader has committed other blocks of these heights.
  await net.warp('+4s');
  await areAt(net, NAMES, height + 4);
  expect((await setOf(home)).last?.number).toBe(height + 4);
  await agrees(net);
});

it('another sequencer takes over within two blocks when the leader is killed', async () => {
  await using home = new Home();
  await using net = await startSet(home, {});
  await net.warp('+4s');
  const { leader, last } = await setOf(home);
  if (leader === null || last === null) throw new Error('no member leads');
  const others = NAMES.filter((name) => name !== leader);
  await net.node(leader).kill();
  // Two blocks are due from now on, and no more: time stands again.
  await net.warp('+2s');
  await areAt(net, others, last.number + 2);
  const after = await setOf(home);
  expect(others).toContain(after.leader);
  expect(after.last?.number).toBe(last.number + 2);
  await net.node(leader).start();
  await net.warp('+1s');
  await areAt(net, NAMES, last.number + 3);
  await agrees(net);
});
