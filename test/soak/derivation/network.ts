import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlClient, connectControl } from '../../../src/orchestrator/control/client.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { Home, node, type Status } from '../../e2e/devnet.ts';
import { type Proxy as Door, startProxy } from '../../nodes/rollup/support/proxy.ts';
import { INSPECTED } from './heap.ts';

/** Seconds between L1 blocks. L2 has a block each second. */
export const L1_TIME = 6;
const NAME = 'soak';
/** Timeout (ms) of every step on a slow machine. */
export const NETWORK_TIMEOUT_MS = 1_800_000;
const NODES = { sequencer: 'execution-go', verifier: 'execution-rust' } as const;
export type NodeName = keyof typeof NODES;
export const NODE_NAMES = Object.keys(NODES) as readonly NodeName[];

interface Head {
  readonly number: number;
  readonly hash: string;
}

export type SyncStatus = Readonly<Record<'head_l1' | 'current_l1' | 'unsafe_l2' | 'safe_l2' | 'finalized_l2', Head>>;

/** A devnet whose rollup nodes reach execution client and beacon through proxies that can be closed. */
export class SoakNetwork implements AsyncDisposable {
  readonly home = new Home();
  readonly status: Status;
  readonly plan: Plan;
  /** The supervisor's events since the start. */
  readonly events: Event[] = [];
  readonly doors: Readonly<Record<NodeName, { readonly engine: Door; readonly beacon: Door }>>;
  readonly l1: RpcClient;
  readonly #control: ControlClient;
  /** Seconds since genesis on the network's clock at its last move. */
  #age = 1;
  #movedAt = performance.now();

  private constructor(home: Home, status: Status, plan: Plan, doors: SoakNetwork['doors'], control: ControlClient) {
    this.home = home;
    this.status = status;
    this.plan = plan;
    this.doors = doors;
    this.l1 = httpClient({ url: status.l1.rpc, timeoutMs: 300_000 });
    this.#control = control;
    void control.events((event) => this.events.push(event));
    this.#age = Math.floor(Date.now() / 1000) - plan.genesisTime;
  }

  static async start(): Promise<SoakNetwork> {
    const home = new Home();
    const doors = Object.fromEntries(
      await Promise.all(
        NODE_NAMES.map(async (name) => [
          name,
          { engine: await startProxy(undefined), beacon: await startProxy(undefined) },
        ]),
      ),
    ) as SoakNetwork['doors'];
    const address = ({ port }: Door) => `http://127.0.0.1:${port}`;
    const nodes = Object.fromEntries(
      NODE_NAMES.map((name) => {
        const { engine, beacon } = doors[name];
        const env = name === 'verifier' ? { env: INSPECTED } : {};
        // A slow beacon node does not end the rollup node. The L1 cache is small, so that it is soon full.
        const args = {
          l2: address(engine),
          'l1.beacon': address(beacon),
          'l1.beacon.ignore': true,
          'l1.cache-size': 100,
        };
        return [
          name,
          {
            role: name === 'sequencer' ? 'sequencer' : 'verifier',
            el: { client: NODES[name], ...env },
            cl: { client: 'rollup-node', args, ...env },
          },
        ];
      }),
    );
    const spec = home.spec(NAME, {
      version: 1,
      name: NAME,
      ports: 'auto',
      // Finalized 64 blocks behind the head, so that reorgs may go deeper than two.
      l1: { blockTime: L1_TIME, finality: 'real' },
      chains: { main: { blockTime: 1, batcher: { da: 'blobs', args: { 'max-channel-duration': 2 } }, nodes } },
    });
    const paths = pathsOf(home.env['DEVNET_HOME']!, NAME);
    const isUp = home.devnet('up', spec, '-d', '--ready-budget', `${NETWORK_TIMEOUT_MS / 1000}s`);
    const plan = await planned(paths.plan, isUp);
    for (const name of NODE_NAMES) {
      doors[name].engine.pointTo(portIn(plan, `main/${name}/el`, 'engine'));
      doors[name].beacon.pointTo(portIn(plan, 'l1-beacon', 'http'));
    }
    const { code, stderr } = await isUp;
    if (code !== 0) throw new Error(`up ended with ${code}:\n${stderr}`);
    const control = await connectControl(paths.control);
    if (control === undefined) throw new Error('the supervisor does not answer');
    return new SoakNetwork(home, await home.status(), plan, doors, control);
  }

  /** Seconds since genesis: the height that the chain should have. */
  age(): number {
    return Math.floor(this.#age);
  }

  /**
   * Moves the network's clock. Between two calls it runs at a quarter of its pace, so that a slow machine keeps up.
   * `seconds` is below 5: a rollup node that reads the clock later rejects no block of its peers as one from the
   * future.
   */
  move(seconds = 0): void {
    const now = performance.now();
    this.#age += seconds + (now - this.#movedAt) / 4000;
    this.#movedAt = now;
    void this.#control.ask({ method: 'jump', to: (this.plan.genesisTime + this.#age) * 1000, rate: 1 / 4 });
  }

  engine(name: NodeName): RpcClient {
    return httpClient({ url: node(this.status, name).el.http, timeoutMs: 300_000 });
  }

  /** Returns the heads of a rollup node. undefined while it does not answer. */
  async heads(name: NodeName): Promise<SyncStatus | undefined> {
    const rpc = httpClient({ url: node(this.status, name).cl.rpc, timeoutMs: 30_000 });
    try {
      return await rpc.call<SyncStatus>('optimism_syncStatus');
    } catch {
      return undefined;
    } finally {
      rpc.close();
    }
  }

  /** File of a task's output. */
  logOf(task: string): string {
    return this.plan.tasks.find(({ id }) => id === task)!.log;
  }

  /** The port of a task. */
  portOf(task: string, name: string): number {
    return portIn(this.plan, task, name);
  }

  /** Returns the lines of a task's output that contain a text. */
  linesOf(task: string, what: RegExp): readonly string[] {
    return readFileSync(this.logOf(task), 'utf8')
      .split('\n')
      .filter((line) => what.test(line));
  }

  /** Sends the supervisor a command of `devnet node …`. @throws Failure with the reason */
  async node(action: 'stop' | 'start' | 'restart' | 'kill', task: string): Promise<void> {
    await this.#control.ask({ method: 'node', action, tasks: [task] }, NETWORK_TIMEOUT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#control.close();
    this.l1.close();
    await this.home[Symbol.asyncDispose]();
    for (const { engine, beacon } of Object.values(this.doors)) {
      await engine[Symbol.asyncDispose]();
      await beacon[Symbol.asyncDispose]();
    }
  }
}

function portIn({ tasks }: Plan, task: string, name: string): number {
  return tasks.find(({ id }) => id === task)!.ports.find((port) => port.name === name)!.port;
}

/** Resolves with the plan as soon as it exists. */
async function planned(path: string, isUp: Promise<{ readonly stderr: string }>): Promise<Plan> {
  let errors: string | undefined;
  void isUp.then(({ stderr }) => {
    errors = stderr;
  });
  for (;;) {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Plan;
    } catch {
      if (errors !== undefined) throw new Error(`up ended without a plan (${join(path)}):\n${errors}`);
    }
    await new Promise((wait) => setTimeout(wait, 5));
  }
}
