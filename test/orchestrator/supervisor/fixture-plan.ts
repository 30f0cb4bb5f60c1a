import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plan, Probe, Task } from '../../../src/orchestrator/plan/plan.ts';
import { releasePorts } from '../../../src/orchestrator/ports/reservations.ts';
import { homeWithCache } from '../../cache-of-tests.ts';

/** Folder of the small programs that stand for clients. */
export function program(name: string): string {
  return resolve(import.meta.dirname, '..', '..', 'fixtures', 'programs', name);
}

/** Makes a home that is removed with the test. Ports that this process reserves for it are released. */
export function temporaryHome(name = 'devnet-run-'): { readonly home: string; [Symbol.dispose](): void } {
  const home = mkdtempSync(join(tmpdir(), name));
  homeWithCache(home);
  return {
    home,
    [Symbol.dispose]() {
      releasePorts(home, {});
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface TaskOptions extends Partial<Omit<Task, 'command' | 'ready'>> {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly ready?: readonly Probe[];
}

/** Returns a plan of one chain whose nodes are rpc-node programs, one per port, with further tasks. */
export function fixturePlan(
  home: string,
  name: string,
  nodes: readonly { readonly port: number; readonly flags?: readonly string[] }[],
  others: Readonly<Record<string, TaskOptions>> = {},
): Plan {
  const folder = join(home, name);
  const task = (id: string, options: TaskOptions): Task => {
    const { argv = [program('sleep-forever.sh')], env = {}, ready = [], ...rest } = options;
    return {
      id,
      kind: 'batcher',
      client: 'fixture',
      launch: 'spawn',
      clock: 'none',
      prepare: [],
      command: { argv, cwd: folder, env },
      secrets: [],
      needs: [],
      reads: [],
      ...(options.kind === 'proposer' ? { late: true } : {}),
      ports: [],
      ready,
      live: [],
      stop: { signal: 'SIGTERM', graceMs: 2000 },
      onExit: 'fail',
      lifeline: false,
      log: join(folder, 'nodes', `${id.replaceAll('/', '-')}.log`),
      ...rest,
    };
  };
  const url = (port: number) => `http://127.0.0.1:${port}`;
  return {
    version: 1,
    devnet: name,
    image: 'rollup-devnet:test',
    home: folder,
    time: { clock: 'wall', rate: 1 },
    seed: 7,
    genesisTime: 1_700_000_000,
    logBytes: 50_000_000,
    files: [
      {
        path: join(folder, 'genesis', 'secret.txt'),
        mode: 0o600,
        secret: true,
        content: { kind: 'text', text: 'hush' },
      },
    ],
    tasks: [
      ...nodes.map(({ port, flags = [] }, at) =>
        task(`main/node-${at}/el`, {
          kind: 'el',
          chain: 'main',
          node: `node-${at}`,
          argv: [process.execPath, program('rpc-node.mjs'), `--port=${port}`, ...flags],
          ports: [{ name: 'http', host: '127.0.0.1', port, transport: 'tcp' }],
          ready: [identityProbe(port)],
        }),
      ),
      ...Object.entries(others).map(([id, options]) => task(id, options)),
    ],
    network: {
      l1: {
        chainId: 900,
        rpc: url(1),
        ws: 'ws://127.0.0.1:1',
        direct: { rpc: '', ws: '' },
        beacon: url(2),
        genesisHash: '0x00',
        blockTime: 2,
        contracts: {},
      },
      chains: [
        {
          name: 'main',
          chainId: 901,
          blockTime: 1,
          genesisHash: '0xaa',
          contracts: { l1: {}, l2: {} },
          accounts: [],
          forks: {},
          genesisFile: join(folder, 'genesis', 'genesis.json'),
          rollupFile: join(folder, 'genesis', 'rollup.json'),
          nodes: nodes.map(({ port }, at) => ({
            name: `node-${at}`,
            role: at === 0 ? 'sequencer' : 'verifier',
            el: {
              task: `main/node-${at}/el`,
              client: 'fixture',
              implementation: `fixture-${at}`,
              http: url(port),
              ws: url(port),
              engine: url(port),
              jwt: '',
            },
            cl: {
              task: `main/node-${at}/el`,
              client: 'fixture',
              implementation: `fixture-${at}`,
              rpc: url(port),
              p2p: '',
              peerId: '',
            },
            gossip: true,
            overrides: {},
          })),
        },
      ],
    },
    notices: [],
  };
}

/** The chain id and genesis of rpc-node.mjs. */
export function identityProbe(port: number): Probe {
  return {
    kind: 'rpc',
    url: `http://127.0.0.1:${port}`,
    method: 'eth_getBlockByNumber',
    params: ['0x0', false],
    expect: { hash: '0xAA' },
    description: 'answers with the genesis of the chain',
  };
}
