import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from '../../src/system/process/sweep.ts';
import { processTable, runs } from '../../src/system/process/table.ts';
import { packBase } from './base-image.ts';
import { run } from './debian.ts';
import { BASE } from './support.ts';

/** Time (ms) for a daemon to answer, and for one to end. */
const START_MS = 60_000;
const END_MS = 30_000;

/** A Docker daemon of the tests. It ends with the process that started it. */
export class OwnDaemon {
  readonly folder: string;
  readonly host: string;
  private readonly options: readonly string[];
  private child: ChildProcess | undefined;
  private within: readonly string[] = [];

  /** Makes a daemon that a program starts, such as one that enters namespaces. `within`: that program's words. */
  static within(within: readonly string[], ...options: readonly string[]): OwnDaemon {
    const daemon = new OwnDaemon(...options);
    daemon.within = within;
    return daemon;
  }

  /** `options`: more of dockerd's. */
  constructor(...options: readonly string[]) {
    this.folder = mkdtempSync(join(tmpdir(), 'devnet-dockerd-'));
    this.host = `unix://${join(this.folder, 'docker.sock')}`;
    this.options = options;
  }

  /**
   * Starts the daemon. It leaves the machine's firewall and default bridge alone, so that it runs beside another one.
   * Ports are published by Docker's own proxy. @throws Error with dockerd's own words
   */
  async start(): Promise<void> {
    const path = (name: string) => join(this.folder, name);
    const log = openSync(path('log'), 'w');
    const child = spawn(
      'setpriv',
      [
        ...['--pdeathsig', 'TERM', ...this.within, 'dockerd', '--data-root', path('data'), '--exec-root', path('exec')],
        ...['--host', this.host, '--pidfile', path('pid'), '--log-level', 'warn'],
        ...['--bridge', 'none', '--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'],
        ...this.options,
      ],
      { stdio: ['ignore', log, log], detached: true },
    );
    closeSync(log);
    this.child = child;
    const failed = new Promise<Error>((resolve) => child.once('error', resolve));
    const deadline = performance.now() + START_MS;
    while (!answers(this.host)) {
      const fault = await Promise.race([failed, sleep(100)]);
      if (fault === undefined && child.exitCode === null && performance.now() < deadline) continue;
      const reason = fault?.message ?? lastWords(readFileSync(path('log'), 'utf8'));
      await this.stop();
      throw new Error(`dockerd does not start: ${reason}`);
    }
  }

  /** Ends the daemon and keeps its data. Containers that run end with it. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.pid === undefined || child.exitCode !== null) return;
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const late = sleep(END_MS, 'late', { ref: false });
    if ((await Promise.race([exit, late])) !== 'late') return;
    await this.killAll();
    await exit;
  }

  /**
   * Returns the processes of the daemon and of its containers. A shim has a session of its own and the init as its
   * parent, and outlives a daemon that is killed or restores its containers.
   */
  processes(): readonly number[] {
    const table = processTable();
    const ours = table.list().filter(({ pid }) => table.command(pid)?.includes(`${this.folder}/`));
    const rows = [...ours, ...descendants(ours.map(({ pid }) => pid))].filter(runs);
    return [...new Set(rows.map(({ pid }) => pid))].filter((pid) => pid !== process.pid);
  }

  /** @throws Error if one survives SIGKILL */
  private async killAll(): Promise<void> {
    const deadline = performance.now() + END_MS;
    for (let left = this.processes(); left.length > 0; left = this.processes()) {
      if (performance.now() > deadline) throw new Error(`processes ${left} of dockerd survive SIGKILL`);
      for (const pid of left) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      await sleep(50);
    }
  }

  /** Ends the daemon with all of its containers, and removes its data. A place that the kernel still holds stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.killAll();
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const places = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${this.folder}/`));
    for (const path of places.reverse()) spawnSync('umount', ['-l', path]);
    try {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Files of a test machine that is thrown away.
    }
  }
}

/** Returns whether a daemon answers. */
export function answers(host?: string): boolean {
  const env = { ...process.env, ...(host === undefined ? {} : { DOCKER_HOST: host }) };
  const version = spawnSync('docker', ['version', '--format', '{{.Server.APIVersion}}'], { timeout: 10_000, env });
  return version.status === 0;
}

/** Returns the last message of a daemon's log. */
export function lastWords(log: string): string {
  const last = log.trimEnd().split('\n').at(-1) ?? '';
  return /msg="((?:[^"\\]|\\.)*)"/.exec(last)?.[1] ?? (last === '' ? 'it says nothing' : last);
}

/** Puts the base image into a daemon that does not have it. */
export async function importBase(host?: string): Promise<void> {
  const at = host === undefined ? [] : ['--host', host];
  if (spawnSync('docker', [...at, 'image', 'inspect', BASE], { stdio: 'ignore' }).status === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'devnet-base-'));
  try {
    packBase(join(folder, 'root'));
    await run('tar', ['-C', join(folder, 'root'), '-cf', join(folder, 'base.tar'), '.']);
    await run('docker', [...at, 'import', '-c', 'ENV PATH=/usr/local/bin', join(folder, 'base.tar'), BASE], 120_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
