import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { run } from './debian.ts';
import { OwnDaemon } from './own-daemon.ts';
import { dockerAt } from './support.ts';

/** Names a machine, then becomes the program whose words follow. */
const NAME_HOST = 'hostname "$0" && exec "$@"';

/** A machine of a swarm: a network and a host name of its own, with a daemon. It ends with this process. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly daemon: OwnDaemon;
  readonly #holder: ChildProcess;

  private constructor(name: string, address: string, holder: ChildProcess) {
    this.name = name;
    this.address = address;
    this.#holder = holder;
    const named = ['unshare', '--uts', 'sh', '-c', NAME_HOST, name];
    this.daemon = OwnDaemon.within([...this.enter, ...named]);
  }

  /** Makes a machine without a link to others. */
  static async open(name: string, address: string): Promise<Machine> {
    const hold = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && echo open && exec sleep infinity'];
    const holder = spawn('setpriv', ['--pdeathsig', 'KILL', ...hold], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    return new Machine(name, address, holder);
  }

  /** Words before those of a program that runs on this machine. */
  get enter(): readonly string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`];
  }

  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  /** Lists things of Docker on this machine, a line each. */
  lines(...args: readonly string[]): string[] {
    const text = dockerAt(this.daemon.host, ...args);
    return text.split('\n').filter((line) => line !== '');
  }

  async close(): Promise<void> {
    await this.daemon[Symbol.asyncDispose]();
    const exit = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await exit;
  }
}

/** Two machines on one wire, the first of them the manager of their swarm. */
export class Swarm {
  readonly manager: Machine;
  readonly worker: Machine;

  private constructor(manager: Machine, worker: Machine) {
    this.manager = manager;
    this.worker = worker;
  }

  /** @throws Error with the words of the program that fails */
  static async start(): Promise<Swarm> {
    const manager = await Machine.open('node-a', '10.213.9.1');
    const worker = await Machine.open('node-b', '10.213.9.2');
    const swarm = new Swarm(manager, worker);
    try {
      const [here, there] = [manager, worker].map(({ pid }) => String(pid));
      const wire = ['link', 'add', 'wire', 'netns', here ?? '', 'type', 'veth', 'peer', 'name', 'wire'];
      await run('ip', [...wire, 'netns', there ?? '']);
      for (const { enter, address, daemon } of [manager, worker]) {
        const [program = '', ...words] = enter;
        await run(program, [...words, 'ip', 'address', 'add', `${address}/24`, 'dev', 'wire']);
        await run(program, [...words, 'ip', 'link', 'set', 'wire', 'up']);
        await daemon.start();
      }
      dockerAt(manager.daemon.host, 'swarm', 'init', '--advertise-addr', manager.address);
      const token = dockerAt(manager.daemon.host, 'swarm', 'join-token', '--quiet', 'worker');
      const join = ['swarm', 'join', '--advertise-addr', worker.address, '--token', token];
      dockerAt(worker.daemon.host, ...join, `${manager.address}:2377`);
      return swarm;
    } catch (error) {
      await swarm[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of [this.worker, this.manager]) await machine.close();
  }
}

/** Why this machine cannot have two more in namespaces; undefined: it can. */
export function noSwarm(): string | undefined {
  if (process.getuid?.() !== 0) return 'two daemons in namespaces need root';
  const missing = ['dockerd', 'ip', 'nsenter', 'unshare', 'setpriv'].filter(
    (program) => spawnSync(program, ['--help'], { stdio: 'ignore', timeout: 20_000 }).error !== undefined,
  );
  return missing.length === 0 ? undefined : `two daemons in namespaces need ${missing.join(', ')}`;
}
