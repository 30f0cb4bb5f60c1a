import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { importImage, isLost, kubectl, Namespace, NO_KILL, rollOut, STORAGE, withoutNode } from './cluster.ts';

const IMAGE = 'rollup-devnet:test-k8s';
const UNTIL = { timeout: 240_000, interval: 1000 };

const home = new Home();
afterAll(() => home[Symbol.asyncDispose]());

beforeAll(async () => {
  const archive = join(home.folder, 'image.tar');
  const { code, stderr } = await home.process('image', 'save', archive, '--tag', IMAGE);
  expect(code, stderr).toBe(0);
  importImage(archive);
}, 300_000);

/** Exports a spec into a folder, and returns the folder. */
async function exported(spec: string, out: string): Promise<string> {
  const folder = join(home.folder, out);
  const storage = STORAGE === undefined ? [] : ['--storage', STORAGE];
  const { code, stderr } = await home.process('export', 'k8s', spec, '--out', folder, '--image', IMAGE, ...storage);
  expect(code, stderr).toBe(0);
  return folder;
}

/** A node of a network as others call it. */
interface NodeAddress {
  readonly el: string;
  readonly cl: string;
}

const SEQUENCER: NodeAddress = { el: 'main-sequencer-el:9545', cl: 'main-sequencer-cl:9547' };
const VERIFIER: NodeAddress = { el: 'main-verifier-el:9555', cl: 'main-verifier-cl:9557' };

class Network {
  readonly namespace: Namespace;
  readonly folder: string;

  constructor(name: string, folder: string) {
    this.namespace = new Namespace(`devnet-${name}`);
    this.folder = folder;
  }

  hash({ el }: NodeAddress, number: number): string | undefined {
    const block = this.namespace.call<{ hash: string }>(
      'main-batcher-0',
      el,
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      false,
    );
    return block?.hash;
  }

  safeHead({ cl }: NodeAddress): number {
    return (
      this.namespace.call<{ safe_l2: { number: number } }>('main-batcher-0', cl, 'optimism_syncStatus')?.safe_l2
        .number ?? 0
    );
  }

  /** Waits until a node has derived more blocks than it had. */
  async goesOn(node: NodeAddress, blocks = 3): Promise<void> {
    await vi.waitUntil(() => this.safeHead(node) > 0, UNTIL);
    const before = this.safeHead(node);
    await vi.waitUntil(() => this.safeHead(node) >= before + blocks, UNTIL);
  }

  /** Compares all blocks of all nodes with those of a node of this machine, which joins the network for it. */
  async agrees(): Promise<void> {
    const { name } = this.namespace;
    const nodes = { mine: { join: null } };
    const file = home.spec(`${name}-mine`, { chains: { main: { nodes } } });
    const run = async (...words: readonly string[]) => {
      const { code, stderr } = await home.devnet(...words, '--name', name);
      expect([words, code, code === 0 ? '' : stderr]).toEqual([words, 0, '']);
    };
    await run('attach', file, '--kube', name, '-d', '--ready-budget', '240s');
    try {
      await run('wait', 'safe:5', '--timeout', '240s');
      // The node that joined may be behind yet.
      const check = async () => (await home.devnet('check', '--name', name)).stderr;
      await vi.waitUntil(async () => (await check()).includes('all nodes agree'), UNTIL);
    } finally {
      await run('down');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    kubectl('delete', '--wait', '--kustomize', this.folder);
  }
}

/** Applies an export and waits until all of it is ready. */
async function applied(
  name: string,
  folder: string,
  pods: number,
  start = () => kubectl('apply', '--kustomize', folder),
): Promise<Network> {
  const network = new Network(name, folder);
  start();
  await vi.waitUntil(() => network.namespace.isReady(pods), UNTIL);
  return network;
}

/** Brings another export of a running network to the cluster. Returns the pods that it replaced. */
function rolledOut({ namespace }: Network, folder: string): readonly string[] {
  const before = namespace.uids();
  rollOut(folder);
  const after = namespace.uids();
  return Object.keys(after).filter((pod) => after[pod] !== before[pod]);
}

const without = NO_KILL === undefined ? '' : ` (no node is killed: ${NO_KILL})`;

describe(`a network on Kubernetes${without}`, () => {
  it('survives the loss of its sequencer and of a node, and leaves nothing', {
    timeout: 900_000,
  }, async () => {
    const folder = await exported('default', 'default');
    {
      await using network = await applied('default', folder, 7);
      await network.goesOn(VERIFIER);
      await network.agrees();
      const third = network.hash(SEQUENCER, 3);

      // The same export again changes nothing.
      const [pods, generations] = [network.namespace.uids(), network.namespace.generations()];
      kubectl('apply', '--kustomize', folder);
      expect(network.namespace.generations()).toEqual(generations);
      expect(network.namespace.uids()).toEqual(pods);

      kubectl(
        '--namespace',
        network.namespace.name,
        'delete',
        'pod',
        'main-sequencer-el-0',
        'main-sequencer-cl-0',
        '--force',
        '--grace-period=0',
      );
      await network.goesOn(VERIFIER);

      const nodeOf = (pod: string) =>
        network.namespace.pods().find(({ metadata }) => metadata.name === pod)?.spec.nodeName;
      const [node] = [...new Set(network.namespace.pods().map(({ spec }) => spec.nodeName))].filter(
        (each) => each !== nodeOf('l1-0'),
      );
      if (node !== undefined) {
        kubectl(
          'drain',
          node,
          '--ignore-daemonsets',
          '--delete-emptydir-data',
          '--disable-eviction',
          '--force',
          '--timeout=120s',
        );
        kubectl('uncordon', node);
      }
      await vi.waitUntil(() => network.namespace.isReady(7), UNTIL);
      await network.goesOn(VERIFIER);

      if (node !== undefined && NO_KILL === undefined)
        await withoutNode(node, async () => await vi.waitUntil(() => isLost(node), UNTIL));
      await vi.waitUntil(() => network.namespace.isReady(7) && (node === undefined || !isLost(node)), UNTIL);
      await network.goesOn(VERIFIER);
      await network.agrees();
      expect(network.hash(VERIFIER, 3)).toBe(third);
    }
    expect(kubectl('get', 'namespaces', '--output', 'name')).not.toContain('devnet-default');
    expect(kubectl('get', 'persistentvolumeclaims', '--all-namespaces', '--output', 'name')).not.toContain('main-');
  });

  it('takes another fork time for one node, which alone starts again', { timeout: 900_000 }, async () => {
    const spec = (seconds: number) =>
      home.spec(`roll-${seconds}`, {
        name: 'roll',
        chains: {
          main: {
            forks: { base: 'isthmus', jovian: '+2h' },
            nodes: { sequencer: { role: 'sequencer' }, verifier: { override: { jovian: `+${seconds}s` } } },
          },
        },
      });
    const folder = await exported(spec(9000), 'first');
    await using network = await applied('roll', folder, 7, () => rollOut(folder));
    await network.goesOn(VERIFIER);
    const first = network.hash(VERIFIER, 1);
    const second = await exported(spec(9500), 'second');
    const generations = network.namespace.generations();
    kubectl('--namespace', network.namespace.name, 'create', 'service', 'clusterip', 'other', '--tcp=80');
    expect(() => rollOut(second)).toThrow('the namespace devnet-roll has other objects, and nothing was applied');
    kubectl('--namespace', network.namespace.name, 'delete', 'service', 'other');
    expect(network.namespace.generations()).toBe(generations);
    const replaced = rolledOut(network, second);
    expect(replaced.toSorted()).toEqual(['main-verifier-cl-0', 'main-verifier-el-0']);
    await network.goesOn(VERIFIER);
    await network.agrees();
    expect(network.hash(VERIFIER, 1)).toBe(first);
  });

  it.each([
    ['fork-drill', 7],
    ['mixed', 13],
  ])('runs the sample %s', { timeout: 600_000 }, async (sample, pods) => {
    await using network = await applied(sample, await exported(sample, sample), pods);
    await network.goesOn(SEQUENCER);
    await network.agrees();
  });
});
