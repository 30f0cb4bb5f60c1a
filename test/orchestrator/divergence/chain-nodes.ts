import type { HeaderFields } from '../../../src/orchestrator/divergence/compare.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

/** A node that answers with its blocks; `blocks` and `safe` may change while it runs. */
export interface ChainNode extends AnsweringNode {
  blocks: readonly HeaderFields[];
  /** Number of its safe block; undefined: it has none. */
  safe: number | undefined;
  /** Whether it answers every request with an error. */
  failing: boolean;
  /** Requests in order: the method, and the block of `eth_getBlockByNumber`. */
  readonly requests: string[];
}

/** Blocks from 0 to `head`. Those from `from` on have another hash and state. */
export function blocksTo(head: number, from = Number.POSITIVE_INFINITY, tag = 'b'): readonly HeaderFields[] {
  return Array.from({ length: head + 1 }, (_, number) => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${(number < from ? 'a' : tag).repeat(56)}${number.toString(16).padStart(8, '0')}`,
    stateRoot: number < from ? '0x1' : '0x2',
    timestamp: `0x${(1000 + number).toString(16)}`,
  }));
}

/** Starts a node with these blocks. */
export async function chainNode(blocks: readonly HeaderFields[]): Promise<ChainNode> {
  const answer = (method: string, params: readonly unknown[]) => {
    node.requests.push(method === 'eth_getBlockByNumber' ? String(params[0]) : method);
    if (node.failing) throw new Error('database is closed');
    if (method !== 'eth_blockNumber' && method !== 'eth_getBlockByNumber')
      throw new Error(`the method ${method} does not exist`);
    if (method === 'eth_blockNumber') return node.blocks.at(-1)?.['number'];
    if (params[0] === 'latest') return node.blocks.at(-1);
    if (params[0] === 'safe') return node.safe === undefined ? null : node.blocks[node.safe];
    return node.blocks[Number(params[0])] ?? null;
  };
  const node: ChainNode = { blocks, safe: undefined, failing: false, requests: [], ...(await answeringNode(answer)) };
  return node;
}

/**
 * The plan of one chain, `main`, with these nodes: `node-0`, its sequencer, and the others.
 * Each has an execution client and a rollup node. All rollup nodes are of one implementation.
 */
export function planWith(nodes: readonly { readonly url: string }[], home = '/home'): Plan {
  const rollupNodes = nodes.map((_, at) => [`main/node-${at}/cl`, { kind: 'cl', chain: 'main' }] as const);
  const ports = nodes.map(({ url }) => ({ port: Number(new URL(url).port) }));
  const plan = fixturePlan(home, 'one', ports, Object.fromEntries(rollupNodes));
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({
      ...node,
      cl: { ...node.cl, task: node.el.task.replace(/el$/, 'cl'), implementation: 'rollup' },
    })),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}
