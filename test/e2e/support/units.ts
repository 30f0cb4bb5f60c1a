import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../devnet.ts';

/** Runs a command in new namespaces: a network with loopback alone, and host names of its own. */
const INSIDE = ['--map-root-user', '--mount', '--net', '--kill-child'];
const ENTER = 'ip link set lo up && mount --bind "$1" /etc/hosts && shift && exec "$@"';

/** Why this machine cannot run units beside one another as an engine does; undefined: it can. */
export const NO_UNITS = ((): string | undefined => {
  const { status, error } = spawnSync('unshare', [
    ...INSIDE,
    'bash',
    '-c',
    'ip link set lo up && mount --bind /etc/hosts /etc/hosts',
  ]);
  return status === 0 ? undefined : `needs user namespaces, unshare, ip and mount${error ? `: ${error.message}` : ''}`;
})();

/** Environment of a unit: an engine hands on no proxy of the machine. */
const ENVIRONMENT = { PATH: process.env['PATH'], ANVIL: process.env['ANVIL'] };

/** Units of an exported network as processes, each with its own host name, address and volume. */
export class Units implements AsyncDisposable {
  readonly #folder: string;
  readonly #box: ChildProcess;
  readonly #running = new Map<string, ChildProcess>();
  readonly #words = new Map<string, string>();

  /** `folder`: that of the export. */
  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    const hosts = names.map((name, index) => `127.0.1.${index + 1} ${name}`);
    const hostsFile = join(folder, 'hosts');
    writeFileSync(hostsFile, ['127.0.0.1 localhost', ...hosts, ''].join('\n'));
    this.#box = spawn('unshare', [...INSIDE, 'bash', '-c', ENTER, '-', hostsFile, 'sleep', 'infinity']);
  }

  /** Resolves when commands can run beside the units. */
  async open(): Promise<void> {
    while (this.#enter(['test', '-d', '/sys/class/net/lo'], 'ignore').status !== 0) await sleep(20);
    // Its own host names come with the mount.
    while (!this.output('cat', '/etc/hosts').includes('127.0.1.1 ')) await sleep(20);
  }

  /** Starts a unit on its volume. */
  start(unit: string, volume = unit): ChildProcess {
    const paths = [
      `--network=${join(this.#folder, 'devnet')}`,
      `--secrets=${join(this.#folder, 'secrets', 'devnet.json')}`,
    ];
    const argv = [
      process.execPath,
      join(root, 'dist', 'entry.js'),
      `--unit=${unit}`,
      ...paths,
      `--data=${this.#volume(volume)}`,
    ];
    const child = spawn('nsenter', [...this.#target(), ...argv], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => this.#words.set(unit, this.words(unit) + String(text)));
    this.#running.set(unit, child);
    return child;
  }

  /** Ends a unit as an engine does. Returns its exit code. */
  async stop(unit: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#running.get(unit);
    if (child === undefined) throw new Error(`${unit} does not run`);
    this.#running.delete(unit);
    if (child.exitCode === null) {
      // SIGKILL ends a container whole. Another signal reaches its first process alone.
      process.kill(signal === 'SIGKILL' ? -Number(child.pid) : Number(child.pid), signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  /** What a unit has written. */
  words(unit: string): string {
    return this.#words.get(unit) ?? '';
  }

  /** Exit code of the health command of a unit. */
  health(unit: string): number | null {
    return this.#enter(
      [process.execPath, join(root, 'dist', 'entry.js'), '--healthy', `--data=${this.#volume(unit)}`],
      'ignore',
    ).status;
  }

  /** Output of a command beside the units. */
  output(...argv: readonly string[]): string {
    return this.#enter(argv, 'pipe').stdout.toString();
  }

  /** Calls a method at `http://HOST:PORT`, as a process of another unit does. */
  call<T>(url: string, method: string, ...params: readonly unknown[]): T | undefined {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const text = this.output('curl', '-s', '--noproxy', '*', '-H', 'content-type: application/json', '-d', body, url);
    return text.startsWith('{') ? (JSON.parse(text) as { result?: T; error?: T }).result : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.keys()].map((unit) => this.stop(unit)));
    this.#box.kill('SIGKILL');
  }

  #volume(unit: string): string {
    return join(this.#folder, 'volumes', unit);
  }

  #target(): readonly string[] {
    return ['--target', String(this.#box.pid), '--user', '--mount', '--net', '--preserve-credentials'];
  }

  #enter(argv: readonly string[], output: 'pipe' | 'ignore') {
    return spawnSync('nsenter', [...this.#target(), ...argv], {
      env: ENVIRONMENT,
      stdio: ['ignore', output, 'ignore'],
    });
  }
}
