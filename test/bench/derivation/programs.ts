import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listening, type Program } from '../../nodes/execution/support/process.ts';

const dist = resolve(import.meta.dirname, '..', '..', '..', 'dist');

/** Folder for CPU profiles of the programs. Empty: none are made. */
const PROFILES = process.env['PROFILES'] ?? '';

/** Resources that a process has used. */
export interface Usage {
  /** CPU seconds. */
  readonly cpu: number;
  /** Resident bytes, now and at the peak. */
  readonly rss: number;
  readonly peak: number;
}

/** Starts a program of dist/ as a process, which ends when it is disposed. */
export class Running implements AsyncDisposable {
  readonly program: Program;
  readonly #pid: number;

  constructor(name: string, ...argv: string[]) {
    const profile =
      PROFILES === ''
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`];
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...profile, join(dist, `${name}.js`), ...argv],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let errors = '';
    child.stderr.on('data', (part: Buffer) => {
      errors = `${errors}${part}`.slice(-100_000);
    });
    const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
    this.program = { child, stdout: () => '', stderr: () => errors, exit };
    this.#pid = child.pid!;
  }

  /** Returns the used resources (Linux only). */
  usage(): Usage {
    const fields = readFileSync(`/proc/${this.#pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    const status = readFileSync(`/proc/${this.#pid}/status`, 'latin1');
    const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, rss: bytes('VmRSS'), peak: bytes('VmHWM') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.program.child.kill('SIGTERM');
    await this.program.exit;
  }
}

/** Starts a fresh execution client on a genesis file. Returns it with its authenticated port. */
export async function startEngine(genesis: string, jwt: string, datadir: string): Promise<Running & { port: number }> {
  const running = new Running(
    'execution-client',
    '--flavour=rust',
    `--chain=${genesis}`,
    `--datadir=${datadir}`,
    '--http',
    '--http.port=0',
    '--authrpc.port=0',
    `--authrpc.jwtsecret=${jwt}`,
  );
  const { engine } = await listening(running.program);
  return Object.assign(running, { port: engine });
}
