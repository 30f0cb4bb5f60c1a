import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devnetBin, run } from './devnet.ts';
import { processMemory } from './memory.ts';

/** Seconds of the measurement, and seconds before it in which the start completes. */
const SECONDS = 30;
const SETTLING = 10;

/** Returns the CPU seconds of every process with the home's stamp, by pid (Linux only). */
function cpuOf(home: string): ReadonlyMap<string, { name: string; cpu: number }> {
  const found = new Map<string, { name: string; cpu: number }>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DEVNET_HOME=${home}`)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ');
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      const name = (argv[1]?.endsWith('.js') ? argv[1] : argv[0])?.split('/').at(-1) ?? pid;
      found.set(pid, { name, cpu: (Number(fields[11]) + Number(fields[12])) / 100 });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

/**
 * Prints the CPU share and resident memory of the default devnet with blocks every second, by process. The supervisor,
 * which compares all blocks, is also given alone: with `devnet watch` following it.
 */
export async function idleDevnet(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'idle-bench-'));
  const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
  let watch: ChildProcess | undefined;
  try {
    await run(
      ['up', 'default', '-d', '--set', 'chains.main.blockTime=1', '--set', 'l1.blockTime=1', '--set', 'ports=auto'],
      env,
    );
    watch = spawn(process.execPath, [devnetBin, 'watch', '--json'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    watch.stdout?.resume();
    await new Promise((wait) => setTimeout(wait, SETTLING * 1000));
    const before = cpuOf(env.DEVNET_HOME);
    const began = performance.now();
    await new Promise((wait) => setTimeout(wait, SECONDS * 1000));
    const after = cpuOf(env.DEVNET_HOME);
    const span = (performance.now() - began) / 1000;
    const memory = processMemory(env.DEVNET_HOME);
    const own = [...after].filter(([pid]) => pid !== String(watch?.pid));
    const shares = own.map(([pid, { name, cpu }]) => ({
      name,
      share: (cpu - (before.get(pid)?.cpu ?? 0)) / span,
    }));
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    const total = (kind: 'rss' | 'pss') => mb(memory.reduce((sum, one) => sum + one[kind], 0));
    const all = shares.reduce((sum, { share }) => sum + share, 0);
    console.log(
      `idle default devnet at 1 s blocks: ${percent(all)} of a core (goal 10 %), ${total('rss')} resident, ` +
        `${total('pss')} proportional`,
    );
    const supervisor = shares.find(({ name }) => name === 'devnet-supervisor');
    if (supervisor === undefined) throw new Error('the supervisor is not among the processes of the devnet');
    console.log(`supervisor, which watches and compares: ${percent(supervisor.share)} of a core (goal 2 %)`);
    for (const { name, share } of shares.sort((a, b) => b.share - a.share))
      console.log(`  ${name.padEnd(24)}${percent(share)}`);
  } finally {
    watch?.kill();
    await run(['down', '--all'], env).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}
