/**
 * Measures what verifiers cost (`make bench-scale`, Linux): the time until ready, and memory, processor time and late
 * nodes at 1-second blocks. One line for each number of verifiers, with the difference to the line before for each.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './devnet.ts';
import { cpuOf } from './idle.ts';
import { processMemory, pssOf } from './memory.ts';

const COUNTS = (process.env['COUNTS'] || '1 5 10 20 40').split(/[ ,]+/).map(Number);
/** Topology; absent: that of a spec that names none. */
const PEERS = process.env['PEERS'] || undefined;
const SECONDS = Number(process.env['SECONDS'] || 30);

interface Cost {
  readonly verifiers: number;
  /** Milliseconds from the start of the command. */
  readonly ready: number;
  /** Proportional bytes. */
  readonly memory: number;
  /** Share of a core. */
  readonly cpu: number;
  /** Nodes that the health watch calls late at the end. */
  readonly late: number;
}

const spec = (verifiers: number) =>
  JSON.stringify({
    name: 'scale',
    ports: 'auto',
    chains: { main: { blockTime: 1, peers: PEERS, nodes: { s: { role: 'sequencer' }, v: { count: verifiers } } } },
  });

async function costOf(verifiers: number): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-scale-'));
  const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
  writeFileSync(join(folder, 'scale.yaml'), spec(verifiers));
  const up = ['up', join(folder, 'scale.yaml'), '-d', '--ready-budget', '300s'];
  try {
    // The first start fills the cache, as in `make bench`.
    await run(up, env);
    await run(['down'], env);
    const began = performance.now();
    await run(up, env);
    const ready = performance.now() - began;
    const before = cpuOf(env.DEVNET_HOME);
    const start = performance.now();
    await sleep(SECONDS * 1000);
    const span = (performance.now() - start) / 1000;
    const cpu = [...cpuOf(env.DEVNET_HOME)].reduce(
      (sum, [pid, after]) => sum + after.cpu - (before.get(pid)?.cpu ?? 0),
      0,
    );
    const memory = pssOf(processMemory(env.DEVNET_HOME));
    const { problems } = JSON.parse(await run(['status', '--json'], env)) as { problems: readonly unknown[] };
    return { verifiers, ready, memory, cpu: cpu / span, late: problems.length };
  } finally {
    await run(['down', '--all'], env).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

const column = (text: string) => text.padStart(14);
console.log(`peers: ${PEERS ?? 'by number'}, ${SECONDS} s at 1-second blocks, load before ${loadavg()[0]?.toFixed(1)}`);
console.log(
  `verifiers${['ready', 'PSS', 'processor', 'late', 'ready each', 'PSS each', 'CPU each'].map(column).join('')}`,
);
let last: Cost | undefined;
for (const verifiers of COUNTS) {
  const cost = await costOf(verifiers);
  const { ready, memory, cpu, late } = cost;
  const more = last === undefined ? undefined : verifiers - last.verifiers;
  const each = (value: number, before: number | undefined) =>
    before === undefined || !more ? 0 : (value - before) / more;
  const columns = [
    `${(ready / 1000).toFixed(2)} s`,
    `${(memory / 1e6).toFixed(0)} MB`,
    `${(100 * cpu).toFixed(0)} %`,
    String(late),
    ...(last === undefined
      ? []
      : [
          `${each(ready, last.ready).toFixed(0)} ms`,
          `${(each(memory, last.memory) / 1e6).toFixed(0)} MB`,
          `${(100 * each(cpu, last.cpu)).toFixed(1)} %`,
        ]),
  ];
  console.log(`${String(verifiers).padStart(9)}${columns.map(column).join('')}`);
  last = cost;
}
