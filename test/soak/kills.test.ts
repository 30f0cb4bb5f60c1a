import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reservationsOf } from '../../src/orchestrator/ports/reservations.ts';

const KILLS = Number(process.env['SOAK_KILLS'] ?? 200);
const SEED = Number(process.env['SOAK_SEED'] ?? 2026);

const devnet = resolve(import.meta.dirname, '..', '..', 'dist', 'devnet.js');
const folder = mkdtempSync(join(tmpdir(), 'devnet-soak-'));
const home = join(folder, 'home');
const spec = join(folder, 'soak.yaml');
writeFileSync(spec, 'version: 1\nname: soak\nports: auto\nl1: { blockTime: 1 }\nchains: { main: { blockTime: 1 } }\n');

const VICTIMS = ['command', 'supervisor', 'guard and supervisor', 'a node'] as const;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
/** Timeout (ms) of a start on a busy machine. */
const START_TIMEOUT_MS = 2500;

function run(...argv: string[]): { child: ChildProcess; closed: Promise<number | null> } {
  const child = spawn(process.execPath, [devnet, ...argv], {
    cwd: folder,
    env: { ...process.env, DEVNET_HOME: home },
    stdio: 'ignore',
  });
  return { child, closed: new Promise((done) => child.on('close', done)) };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Returns the devnet's processes: by environment, command line and working folder. */
function processes(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => !/^\d+ \(.*\) [ZX]/.test(read(`/proc/${pid}/stat`) || '0 () Z'))
    .filter(
      (pid) =>
        read(`/proc/${pid}/environ`).includes(home) || read(`/proc/${pid}/cmdline`).includes(home) || workingIn(pid),
    )
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

function workingIn(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
  } catch {
    return false;
  }
}

/** Returns those of the given TCP ports that have a listener. */
function listening(ports: ReadonlySet<number>): number[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    read(file)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A')
      .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '0', 16))
      .filter((port) => ports.has(port)),
  );
}

/** Describes what is left of a devnet. Empty if nothing is. */
function left(ports: ReadonlySet<number>): string[] {
  const sockets = read('/proc/net/unix')
    .split('\n')
    .filter((line) => line.includes(home));
  const locks = existsSync(join(home, '.locks')) ? readdirSync(join(home, '.locks')) : [];
  return [
    ...processes().map(({ pid, command }) => `process ${pid} ${command}`),
    ...listening(ports).map((port) => `listener ${port}`),
    ...sockets.map((line) => `socket ${line}`),
    ...locks.map((name) => `lock ${name}`),
    ...(existsSync(join(home, 'soak', 'control.sock')) ? ['control socket'] : []),
  ];
}

function reserved(): number[] {
  return reservationsOf({ home, name: 'soak' }).map((file) => Number(basename(file)));
}

async function after(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms));
}

it(`${KILLS} kills at random moments of start, run and teardown leave nothing`, async () => {
  expect(processes()).toEqual([]);
  const ports = new Set<number>();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        moment: fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 0, max: START_TIMEOUT_MS }) },
          fc.integer({ min: START_TIMEOUT_MS, max: START_TIMEOUT_MS + 1500 }),
        ),
        teardown: fc.option(fc.integer({ min: 0, max: 300 }), { freq: 3 }),
        victim: fc.constantFrom(...VICTIMS),
        signal: fc.constantFrom(...SIGNALS),
        which: fc.nat(),
        twice: fc.boolean(),
      }),
      async ({ moment, teardown, victim, signal, which, twice }) => {
        count += 1;
        const up = run('up', spec);
        await after(moment);
        // Kills during a teardown too.
        const down = teardown === null ? undefined : run('down', 'soak');
        if (teardown !== null) await after(teardown);
        // A former port may belong to another network a minute later, so that each kill checks its own ports.
        ports.clear();
        for (const port of reserved()) ports.add(port);
        const ours = processes();
        const pidsOf = (part: RegExp) => ours.filter(({ command }) => part.test(command)).map(({ pid }) => pid);
        const kill = (pid: number | undefined, how: NodeJS.Signals) => {
          try {
            if (pid !== undefined) process.kill(pid, how);
          } catch {
            // The command ended first.
          }
        };
        if (victim === 'command') {
          kill(up.child.pid, signal);
          if (twice) kill(up.child.pid, signal);
        } else if (victim === 'a node') {
          const nodes = pidsOf(/anvil|execution-client|rollup-node|batcher|l1-beacon/);
          kill(nodes[which % Math.max(1, nodes.length)], 'SIGKILL');
          // The end of a node ends the network. During the start, the command ends too.
          if (moment < START_TIMEOUT_MS) kill(up.child.pid, signal);
        } else {
          if (victim === 'guard and supervisor') for (const pid of pidsOf(/guard/)) kill(pid, 'SIGKILL');
          for (const pid of pidsOf(/supervisor/)) kill(pid, 'SIGKILL');
        }
        await down?.closed;
        const isOver = await Promise.race([up.closed.then(() => true), after(10_000).then(() => false)]);
        if (!isOver) {
          kill(up.child.pid, 'SIGINT');
          await up.closed;
        }
        // With supervisor and guard killed at once, only the next command can sweep.
        if (victim === 'guard and supervisor') await run('down', '--all').closed;
        await expect.poll(() => left(ports), { timeout: 2000, interval: 20 }).toEqual([]);
      },
    ),
    { numRuns: KILLS, seed: SEED, endOnFailure: true },
  );
  expect(count).toBe(KILLS);
  const last = run('up', spec, '-d');
  expect(await last.closed).toBe(0);
  expect(await run('down', '--all').closed).toBe(0);
  expect(left(ports)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
