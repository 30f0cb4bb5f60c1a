import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devnetBin, run } from './devnet.ts';
import { type ProcessMemory, processMemory, programName } from './memory.ts';

/** Seconds of the measurement, and seconds before it in which the start completes. */
const SECONDS = 30;
const SETTLING = 10;

/** A program of an idle network with the share of a core that it takes. */
export interface ProgramShare {
  readonly name: string;
  readonly share: number;
}

/** What an idle network costs: each program, largest share first, and its memory. */
export interface IdleCost {
  readonly programs: readonly ProgramShare[];
  readonly memory: readonly ProcessMemory[];
}

/** Returns the CPU seconds of every process with the home's stamp, by pid (Linux only). */
export function cpuOf(home: string): ReadonlyMap<string, { name: string; cpu: number }> {
  const processes = new Map<string, { name: string; cpu: number }>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DEVNET_HOME=${home}`)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ');
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      processes.set(pid, { name: programName(argv) ?? pid, cpu: (Number(fields[11]) + Number(fields[12])) / 100 });
    } catch {
      // It ended meanwhile.
    }
  }
  return processes;
}

/**
 * Measures the default devnet without transactions while `devnet watch` follows it.
 * @param settings values of `--set`
 */
export async function idleCost(settings: readonly string[]): Promise<IdleCost> {
  const folder = mkdtempSync(join(tmpdir(), 'idle-bench-'));
  const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
  let watch: ChildProcess | undefined;
  try {
    await run(['up', 'default', '-d', ...['ports=auto', ...settings].flatMap((value) => ['--set', value])], env);
    watch = spawn(process.execPath, [devnetBin, 'watch', '--json'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    watch.stdout?.resume();
    await new Promise((wait) => setTimeout(wait, SETTLING * 1000));
    const before = cpuOf(env.DEVNET_HOME);
    const start = performance.now();
    await new Promise((wait) => setTimeout(wait, SECONDS * 1000));
    const after = cpuOf(env.DEVNET_HOME);
    const span = (performance.now() - start) / 1000;
    const memory = processMemory(env.DEVNET_HOME);
    const programs = [...after]
      .filter(([pid]) => pid !== String(watch?.pid))
      .map(([pid, { name, cpu }]) => ({ name, share: (cpu - (before.get(pid)?.cpu ?? 0)) / span }))
      .sort((a, b) => b.share - a.share);
    return { programs, memory };
  } finally {
    watch?.kill();
    await run(['down', '--all'], env).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a share of a core in percent. */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Prints the CPU share and resident memory of the default devnet with blocks every second, by program. */
export async function idleDevnet(): Promise<void> {
  const { programs, memory } = await idleCost(['chains.main.blockTime=1', 'l1.blockTime=1']);
  const total = (kind: 'rss' | 'pss') => `${(memory.reduce((sum, one) => sum + one[kind], 0) / 1e6).toFixed(0)} MB`;
  const all = programs.reduce((sum, { share }) => sum + share, 0);
  console.log(
    `idle default devnet at 1 s blocks: ${percent(all)} of a core (goal 10 %), ${total('rss')} resident, ` +
      `${total('pss')} proportional`,
  );
  const supervisor = programs.find(({ name }) => name === 'devnet-supervisor');
  if (supervisor === undefined) throw new Error('the supervisor is not among the processes of the devnet');
  console.log(`supervisor, which watches and compares: ${percent(supervisor.share)} of a core (goal 2 %)`);
  for (const { name, share } of programs) console.log(`  ${name.padEnd(24)}${percent(share)}`);
}

/** Prints each program's share of a core in the idle default devnet, with batches as calldata and as blobs. */
export async function idleByDa(): Promise<void> {
  for (const da of ['calldata', 'blobs']) {
    const { programs } = await idleCost([`chains.main.batcher.da=${da}`]);
    const all = programs.reduce((sum, { share }) => sum + share, 0);
    const batcher = programs.find(({ name }) => name === 'batcher.js')?.share ?? Number.NaN;
    const goal = da === 'blobs' ? ' (goal 4 %)' : '';
    console.log(`idle with da: ${da}: ${percent(all)} of a core, the batcher ${percent(batcher)}${goal}`);
    console.log(`  ${programs.map(({ name, share }) => `${name} ${percent(share)}`).join(', ')}`);
  }
}
