import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devnetOnce, firstBlockOnce } from './devnet.ts';
import { floorOnce, readPlan } from './floor.ts';
import { snapshotStarts } from './from-snapshot.ts';
import { type GateCost, gateCosts } from './gate.ts';
import { idleByDa } from './idle.ts';
import { linkCosts } from './link.ts';
import { memoryOf, type ProcessMemory, processMemory, pssOf } from './memory.ts';
import { revertsOnce } from './reverts.ts';
import { bareServersOnce } from './servers.ts';
import { receiptTimes, type WarpCost, warpCost, warpLines } from './warp.ts';
import { withdrawalOnce } from './withdrawal.ts';

/**
 * Measures `devnet up` and `down` beside the floor of the same machine at the same moment.
 * The floor launches the plan's own commands at once, with files written and prepare steps done, and ends at the same
 * ready condition. The two alternate, so that other load slows both.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);

const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-'));
const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
const samples = {
  firstBlock: [] as number[],
  ready: [] as number[],
  cold: [] as number[],
  down: [] as number[],
  floor: [] as number[],
  servers: [] as number[],
  oracle: [] as number[],
  games: [] as number[],
  reverts: [] as number[],
};
let memory: readonly ProcessMemory[] = [];
let floorMemory = 0;
let gate: readonly GateCost[] = [];
let links: readonly GateCost[] = [];
let warps: readonly WarpCost[] = [];
let receipts: Awaited<ReturnType<typeof receiptTimes>>;
let snapshots: Awaited<ReturnType<typeof snapshotStarts>>;

try {
  process.stderr.write(`bench: ${ROUNDS} rounds\n`);
  await devnetOnce(env);
  for (let round = 0; round < ROUNDS; round++) {
    const once = await devnetOnce(env, async () => {
      memory = processMemory(env.DEVNET_HOME);
      if (round === ROUNDS - 1) gate = await gateCosts(env.DEVNET_HOME);
    });
    samples.firstBlock.push(await firstBlockOnce(env));
    samples.ready.push(once.ready);
    samples.down.push(once.down);
    samples.floor.push(
      await floorOnce(await readPlan(env), (pids) => {
        floorMemory = pssOf(pids.flatMap((pid) => memoryOf(pid) ?? []));
      }),
    );
    samples.servers.push(await bareServersOnce(folder));
    // An empty home: no compiled code, genesis state or spec is cached.
    const empty = { ...env, DEVNET_HOME: join(folder, 'cold') };
    samples.cold.push((await devnetOnce(empty)).ready);
    rmSync(empty.DEVNET_HOME, { recursive: true, force: true });
  }
  samples.oracle.push(await withdrawalOnce(folder, env, 'output-oracle'));
  samples.games.push(await withdrawalOnce(folder, env, 'dispute-games'));
  samples.reverts.push(...(await revertsOnce(folder)));
  links = await linkCosts(env);
  warps = [await warpCost(0), await warpCost(10)];
  receipts = await receiptTimes();
  snapshots = await snapshotStarts(ROUNDS);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const ms = (value: number) => `${value.toFixed(0)} ms`.padStart(9);
const row = (label: string, values: readonly number[], note = '') =>
  console.log(`${label.padEnd(44)}${ms(Math.min(...values))}${ms(median(values))}${ms(Math.max(...values))}  ${note}`);

console.log(`${''.padEnd(44)}${'min'.padStart(9)}${'median'.padStart(9)}${'max'.padStart(9)}`);
row('up to the first L2 block', samples.firstBlock);
row(
  'up to ready',
  samples.ready,
  `${ratio(samples.ready, samples.floor)} × floor (goal 1.5), ${ratio(samples.ready, samples.servers)} × ` +
    `servers (goal 5)`,
);
row('up to ready in an empty home', samples.cold, `${ratio(samples.cold, samples.servers)} × servers (goal 14)`);
row('floor: the same commands by hand', samples.floor);
row('six bare HTTP servers and anvil', samples.servers);
row('down', samples.down, 'goal 300 ms');
row('withdrawal, output oracle', samples.oracle, 'goal 30,000 ms');
row('withdrawal, dispute games', samples.games, 'goal 30,000 ms');
row('return to a snapshot', samples.reverts, 'goal 50 ms');
row(
  'up from a snapshot of 1,000 blocks',
  snapshots.from,
  `${ratio(snapshots.from, snapshots.plain)} × a plain start beside it (goal 1.0)`,
);
row('clock: instant, receipt on L2', receipts.l2, 'goal 100 ms');
row('clock: instant, receipt on L1', receipts.l1, 'goal 100 ms');
for (const line of warpLines(warps)) console.log(line);
console.log(
  `\n${'a call of L1, µs (median)'.padEnd(44)}${'direct'.padStart(9)}${'gate'.padStart(9)}${'ratio'.padStart(9)}`,
);
for (const { how, direct, gate: through } of gate)
  console.log(
    [how.padEnd(44), ...[median(direct), median(through)].map((value) => value.toFixed(0).padStart(9))].join('') +
      ratio(through, direct).padStart(9),
  );
console.log(
  [
    '\na call through a link, µs (median)'.padEnd(45),
    ...['direct', 'link', 'more'].map((word) => word.padStart(9)),
  ].join(''),
);
for (const { how, direct, gate: through } of links)
  console.log(
    [how.padEnd(44), ...[median(direct), median(through)].map((value) => value.toFixed(0).padStart(9))].join('') +
      `${(median(through) - median(direct)).toFixed(0).padStart(9)}  goal 300`,
  );
console.log(`\n${'process'.padEnd(44)}${'RSS'.padStart(9)}${'PSS'.padStart(9)}`);
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`.padStart(9);
for (const { name, rss, pss } of memory) console.log(`${name.padEnd(44)}${mb(rss)}${mb(pss)}`);
// The proposer starts when the network is ready, and is no part of the floor.
const ready = memory.filter(({ name }) => name !== 'proposer.js');
console.log(
  `${'all that ready waits for'.padEnd(44)}${mb(sum(ready.map(({ rss }) => rss)))}${mb(pssOf(ready))}  ` +
    `${(pssOf(ready) / floorMemory).toFixed(2)} × floor (goal 1.2)`,
);

console.log('');
await idleByDa();

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function ratio(a: readonly number[], b: readonly number[]): string {
  return (median(a) / median(b)).toFixed(2);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
