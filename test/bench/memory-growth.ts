/**
 * Measures the memory of the default devnet (`make bench-memory`, Linux).
 * It is that of the ready network, beside the same commands by hand, and that of each minute of 1-second blocks with a
 * transaction every two seconds. MINUTES: default 10. Proportional memory counts a page that several processes share in
 * part: with other networks on the machine each of them appears smaller.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './devnet.ts';
import { floorOnce, readPlan } from './floor.ts';
import { memoryOf, type ProcessMemory, processMemory, pssOf } from './memory.ts';

const MINUTES = Number(process.env['MINUTES'] ?? 10);
const NAME = 'memory';

const folder = mkdtempSync(join(tmpdir(), 'devnet-memory-'));
const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`.padStart(9);
const up = (...set: readonly string[]) =>
  run(['up', 'default', '-d', '--name', NAME, ...['ports=auto', ...set].flatMap((each) => ['--set', each])], env);
// The command that sends is no part of the network.
const network = () => processMemory(env.DEVNET_HOME).filter(({ name }) => name !== 'devnet.js');

function table(title: string, processes: readonly ProcessMemory[], note: string): void {
  const load = loadavg()[0]?.toFixed(1);
  console.log(`\n${`${title} (load ${load})`.padEnd(44)}${'RSS'.padStart(9)}${'PSS'.padStart(9)}`);
  for (const { name, rss, pss } of processes) console.log(`${name.padEnd(44)}${mb(rss)}${mb(pss)}`);
  const rss = processes.reduce((total, each) => total + each.rss, 0);
  console.log(`${'all'.padEnd(44)}${mb(rss)}${mb(pssOf(processes))}  ${note}`);
}

try {
  // The first start fills the cache, as in `make bench`.
  await up();
  await run(['down', NAME], env);
  await up();
  const ready = network();
  await run(['down', NAME], env);
  let floor = 0;
  await floorOnce(await readPlan(env), (pids) => {
    floor = pssOf(pids.flatMap((pid) => memoryOf(pid) ?? []));
  });
  table('when ready', ready, `${(pssOf(ready) / floor).toFixed(2)} × floor of${mb(floor)} (goal 1.2)`);

  await up('chains.main.blockTime=1');
  const sent = run(['load', '--tps', '0.5', '--for', `${MINUTES}m`, '--name', NAME], env);
  const timer = setInterval(() => process.stderr.write(`${mb(pssOf(network()))}\n`), 60_000);
  await sent.finally(() => clearInterval(timer));
  table(`after ${MINUTES} minutes`, network(), 'goal 380 MB after 10 minutes');
} finally {
  await run(['down', '--all'], env).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
