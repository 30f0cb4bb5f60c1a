import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { importImage, kubectl, Namespace, STORAGE } from './cluster.ts';

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

  /** Compares all blocks of two nodes up to the safe head. */
  agrees(nodes: readonly NodeAddress[]): void {
    const last = Math.min(...nodes.map((node) => this.safeHead(node)));
    expect(last).toBeGreaterThan(0);
    for (const number of [0, 1, Math.floor(last / 2), last])
      expect(new Set(nodes.map((node) => this.hash(node, number) ?? 'none')).size, `block ${number}`).toBe(1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    kubectl('delete', '--wait', '--kustomize', this.folder);
  }
}

/** Applies an export and waits until all of it is ready. */
async function applied(name: string, folder: string, pods: number): Promise<Network> {
  const network = new Network(name, folder);
  kubectl('apply', '--kustomize', folder);
  await vi.waitUntil(() => network.namespace.isReady(pods), UNTIL);
  return network;
}

/** Brings another export of a running network to the cluster. Returns the pods that it replaced. */
async function rolledOut(network: Network, folder: string): Promise<readonly string[]> {
  const before = network.namespace.uids();
  kubectl('apply', '--kustomize', folder);
  for (const pod of Object.keys(before))
    kubectl(
      '--namespace',
      network.namespace.name,
      'rollout',
      'status',
      `statefulset/${pod.slice(0, -2)}`,
      '--timeout=240s',
    );
  const after = network.namespace.uids();
  return Object.keys(after).filter((pod) => after[pod] !== before[pod]);
}

describe('a network on Kubernetes', () => {
  it('survives the loss of its sequencer and of a node, and leaves nothing', { timeout: 900_000 }, async () => {
    const folder = await exported('default', 'default');
    {
      await using network = await applied('default', folder, 7);
      await network.goesOn(VERIFIER);
      network.agrees([SEQUENCER, VERIFIER]);
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
      network.agrees([SEQUENCER, VERIFIER]);
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
    await using network = await applied('roll', await exported(spec(9000), 'first'), 7);
    await network.goesOn(VERIFIER);
    const first = network.hash(VERIFIER, 1);
    const replaced = await rolledOut(network, await exported(spec(9500), 'second'));
    expect(replaced.toSorted()).toEqual(['main-verifier-cl-0', 'main-verifier-el-0']);
    await network.goesOn(VERIFIER);
    network.agrees([SEQUENCER, VERIFIER]);
    expect(network.hash(VERIFIER, 1)).toBe(first);
  });

  it.each([
    ['fork-drill', 7],
    ['mixed', 13],
  ])('runs the sample %s', { timeout: 600_000 }, async (sample, pods) => {
    await using network = await applied(sample, await exported(sample, sample), pods);
    await network.goesOn(SEQUENCER);
  });
});
