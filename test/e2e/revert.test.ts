import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Devnet } from '../../src/library/index.ts';
import { Home } from './devnet.ts';
import {
  countGossipedBlocks,
  gatherEvents,
  goBackAndOn,
  type Moment,
  newest,
  pids,
  startFrom,
  startNetwork,
  takeMoment,
  unsafeHeads,
} from './support/reverts.ts';

/** More than gossip takes different blocks of one height. */
const TIMES = 7;
const WAIT = { timeout: 120_000, interval: 50 };

/** A node can be late on a busy machine. */
const agrees = (of: Devnet) => expect.poll(() => of.check(), WAIT).toMatchObject({ agree: true, problems: [] });

const home = new Home();
let net: Devnet;
let moment: Moment;

beforeAll(async () => {
  net = await startNetwork(home.env['DEVNET_HOME'] ?? '', 'revert');
}, 240_000);
afterAll(async () => {
  await net?.down();
  await home[Symbol.asyncDispose]();
});

it('the network restores one snapshot again and again without a restart, and verifiers follow by gossip', async () => {
  moment = await takeMoment(net);
  const before = await pids(net);
  using events = gatherEvents(net);
  const fromGossip = net.chain().nodes.map((name) => countGossipedBlocks(net, name));
  const hashes = new Set<string>();
  for (let nth = 1; nth <= TIMES; nth++) hashes.add(await goBackAndOn(net, moment, nth));
  expect(hashes.size).toBe(TIMES);
  expect(await pids(net)).toEqual(before);
  for (const [at, name] of net.chain().nodes.entries())
    if (name !== 'sequencer')
      expect(countGossipedBlocks(net, name) - (fromGossip[at] ?? 0)).toBeGreaterThanOrEqual(2 * TIMES);
  await net.waitFor(`safe:${moment.number + 3n}`, WAIT);
  const proposed = () => net.node('proposer').logs({ grep: /Proposed an output/ }).length;
  const earlier = proposed();
  await expect.poll(proposed, WAIT).toBeGreaterThan(earlier);
  await agrees(net);
  expect(events.all.filter(({ kind }) => ['reorg', 'divergence', 'stall'].includes(kind))).toEqual([]);
});

it('the network takes one of two concurrent reverts and refuses the other', async () => {
  // A process that stands holds the one that came first.
  const [pid] = Object.values(await pids(net));
  if (typeof pid !== 'number') throw new Error('no process runs');
  process.kill(pid, 'SIGSTOP');
  const returns = [net.revert(moment.snapshot), net.revert(moment.snapshot)];
  const refused = await Promise.any(
    returns.map((each) =>
      each.then(
        () => Promise.reject(each),
        (why: unknown) => why,
      ),
    ),
  );
  process.kill(pid, 'SIGCONT');
  expect(refused).toMatchObject({
    name: 'SnapshotError',
    message: expect.stringContaining('the return to a snapshot is under way'),
  });
  const both = await Promise.allSettled(returns);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('evm_snapshot and evm_revert at L1 act on the whole network, and use snapshots up', async () => {
  await net.pause();
  const before = await pids(net);
  const heads = await newest(net);
  const id = await net.l1.test.snapshot();
  const later = await net.l1.test.snapshot();
  await net.resume();
  const { number } = await net.chain().public.getBlock();
  await net.waitFor(`block:${number + 2n}`, WAIT);
  await net.pause();
  const revert = (of: string) => net.l1.test.request({ method: 'evm_revert', params: [of] } as never);
  expect(await revert(id)).toBe(true);
  expect(await newest(net)).toEqual(heads);
  expect([await revert(id), await revert(later)]).toEqual([false, false]);
  await net.resume();
  await net.waitFor(`block:${number + 2n}`, WAIT);
  expect(await pids(net)).toEqual(before);
  await agrees(net);
});

it('a revert while a node is stopped is refused with its name, and nothing changes', async () => {
  await net.node('verifier').stop();
  await net.pause();
  const { hash } = await net.chain().public.getBlock();
  await expect(net.revert(moment.snapshot)).rejects.toMatchObject({
    name: 'SnapshotError',
    message: expect.stringMatching(/main\/verifier\/el is stopped.*nothing was done/s),
  });
  expect((await net.chain().public.getBlock()).hash).toBe(hash);
  await net.resume();
  await net.node('verifier').start();
  await net.waitFor(`block:${moment.number + 3n}`, WAIT);
});

it('a revert restarts all processes if one was started after the snapshot', async () => {
  const before = await pids(net);
  await net.pause();
  await net.revert(moment.snapshot);
  // L1 and the execution clients hold the moment at once, the status of the rollup nodes follows.
  const blocks = 1 + net.chain().nodes.length;
  expect((await newest(net)).slice(0, blocks)).toEqual(moment.heads.slice(0, blocks));
  await expect.poll(() => newest(net), WAIT).toEqual(moment.heads);
  const after = await pids(net);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  await net.resume();
  await net.waitFor(`safe:${moment.number + 3n}`, WAIT);
  await agrees(net);
});

it.each(['el', 'cl'] as const)('kill -9 of an %s during a revert leaves a consistent network', async (kind) => {
  const mine = await takeMoment(net);
  await net.resume();
  await net.waitFor(`block:${mine.number + 2n}`, WAIT);
  const { chains } = await net.status();
  const pid = chains[0]?.nodes.find(({ name }) => name === 'verifier')?.[kind].pid;
  await net.pause();
  const reverted = net.revert(mine.snapshot).then(
    () => 'done',
    (error: Error) => error.message,
  );
  process.kill(Number(pid), 'SIGKILL');
  const outcome = await reverted;
  if (outcome === 'done') expect((await newest(net))[1]).toBe(mine.heads[1]);
  else expect(outcome).toContain(`main/verifier/${kind}`);
  await net.resume();
  await net.waitFor('ready', WAIT);
  await net.waitFor(`safe:${mine.number + 3n}`, WAIT);
  await agrees(net);
});

it('a network from a snapshot is ready with its blocks: on L1, in every client and rollup node', async () => {
  const folder = home.env['DEVNET_HOME'] ?? '';
  await net.pause();
  const [l1, ...blocks] = (await newest(net)).slice(0, 1 + net.chain().nodes.length);
  const { number } = await net.chain().public.getBlock();
  await net.snapshot('whole');
  await using other = await startFrom(folder, 'again', 'whole');
  const [heads] = await Promise.all([
    unsafeHeads(other),
    other.l1.public.getBlock({ blockHash: l1 as Hex }),
    ...other.chain().nodes.map((name, at) => other.node(name).public.getBlock({ blockHash: blocks[at] as Hex })),
  ]);
  for (const head of heads) expect(head).toBeGreaterThanOrEqual(Number(number));
  await other.waitFor(`safe:${number + 3n}`, WAIT);
  await agrees(other);
});
