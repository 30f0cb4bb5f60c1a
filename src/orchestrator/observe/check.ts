import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import { compareBlocks, compareChain, type Divergence, type HeaderFields, type NodeChain } from './agreement.ts';
import type { Problem } from './health/problem.ts';
import { refusalOf } from './refusal.ts';

export interface CheckResult {
  /** All nodes have the same blocks, and none is silent or behind. */
  readonly agree: boolean;
  /** How many independent implementations took part, of execution clients and rollup nodes. */
  readonly implementations: number;
  /** The first one. */
  readonly divergence: Divergence | null;
  /** Every node that is apart, silent or behind. */
  readonly divergences: readonly Divergence[];
  /** What stands still, is silent or is down. */
  readonly problems: readonly Problem[];
}

/** The highest block of each chain on which all nodes were seen to agree. */
export type Agreed = Readonly<Record<string, { readonly number: number; readonly hash: string }>>;

/** Headers asked for in one message. */
const BATCH = 200;

/** Milliseconds after which a node that seemed behind is asked again: a batch makes many blocks safe at once. */
const AGAIN = 1000;

/**
 * Compares every block that at least two nodes have, from genesis or from where all last agreed. `agreed` is believed only where all nodes still have
 * that block.
 */
export async function checkNetwork(
  plan: Plan,
  before: Agreed,
): Promise<Omit<CheckResult, 'problems'> & { readonly agreed: Agreed }> {
  const results = await Promise.all(plan.network.chains.map((chain) => checkChain(plan, chain, before[chain.name])));
  const divergences = results.flatMap((result) => result.divergences);
  const taking = new Set(results.flatMap(({ implementations }) => implementations));
  const agreed: Record<string, { number: number; hash: string }> = { ...before };
  for (const result of results) if (result.agreed) agreed[result.chain] = result.agreed;
  return {
    agree: divergences.length === 0,
    implementations: taking.size,
    divergence: divergences[0] ?? null,
    divergences,
    agreed,
  };
}

async function checkChain(
  plan: Plan,
  chain: ChainView,
  before: { readonly number: number; readonly hash: string } | undefined,
) {
  const heads = await Promise.all(chain.nodes.map((node) => headOf(node)));
  const known = heads.flatMap(({ head }) => head ?? []).sort((a, b) => a - b);
  const lowest = known[0] ?? -1;
  // Beyond the second highest head there is nothing to compare.
  const last = known.at(-2) ?? lowest;
  const answering = chain.nodes.filter((_, at) => heads[at]?.head !== undefined);
  const from =
    before !== undefined && before.number <= lowest && (await allHave(answering, before)) ? before.number : 0;
  const parted: Divergence[] = [];
  const isGone = ({ name }: { readonly name: string }) => parted.some(({ nodes }) => nodes.includes(name));
  let common: HeaderFields | undefined;
  for (let first = from; first <= last; first += BATCH) {
    const end = Math.min(first + BATCH - 1, last);
    const nodes = await Promise.all(
      answering
        .filter((node) => !isGone(node))
        .map(async (node) => nodeChain(node, { head: lowest }, await headers(node, first, end))),
    );
    parted.push(...compareBlocks(chain.name, nodes));
    common = nodes[0]?.blocks.get(lowest) ?? common;
  }
  const rest = chain.nodes.filter((node) => !isGone(node));
  const first = await Promise.all(rest.map((node) => headOf(node)));
  let stuck = await stuckNodes(plan, chain, rest, first);
  if (stuck.some(({ kind }) => kind === 'behind')) {
    await sleep(AGAIN);
    stuck = await stuckNodes(plan, chain, rest, await Promise.all(rest.map((node) => headOf(node))), first);
  }
  const divergences = [...parted, ...stuck];
  return {
    chain: chain.name,
    implementations: answering.flatMap((node) => [node.el.implementation, node.cl.implementation]),
    divergences,
    agreed: divergences.length === 0 && common !== undefined ? { number: lowest, hash: common.hash } : undefined,
  };
}

/** Returns the nodes that do not answer, refused a block, or are behind the others. `before`: their heads earlier. */
async function stuckNodes(
  plan: Plan,
  chain: ChainView,
  nodes: readonly NodeView[],
  heads: readonly NodeHeads[],
  before: readonly NodeHeads[] = [],
): Promise<Divergence[]> {
  const highest = Math.max(-1, ...heads.map(({ head }) => head ?? -1));
  return compareChain(
    chain.name,
    await Promise.all(
      nodes.map(async (node, at) => ({
        ...(await standing(plan, chain, node, heads[at]!, highest)),
        ...(before[at] === undefined ? {} : { before: before[at] }),
      })),
    ),
  );
}

interface NodeHeads {
  readonly head?: number;
  readonly safe?: number;
  readonly unreachable?: string;
}

/** How a node stands to the highest head, without blocks: behind, refusing, silent. */
async function standing(
  plan: Plan,
  chain: ChainView,
  node: NodeView,
  heads: NodeHeads,
  highest: number,
): Promise<NodeChain> {
  const bare = nodeChain(node, heads, new Map());
  const { head } = heads;
  if (head === undefined || head >= highest) return bare;
  const wanted = await Promise.all(
    chain.nodes
      .filter((other) => other !== node)
      .map(async (other) => (await headers(other, head + 1, head + 1)).get(head + 1)),
  );
  const next = wanted.find((header) => header !== undefined);
  if (next === undefined) return bare;
  const logs = plan.tasks.filter(({ id }) => id === node.el.task || id === node.cl.task).map(({ log }) => log);
  const refusal = refusalOf(logs, { number: head + 1, hash: next.hash });
  return refusal === undefined ? bare : { ...bare, refusal };
}

function nodeChain(
  { name, role, el, gossip }: NodeView,
  { head, safe, unreachable }: NodeHeads,
  blocks: ReadonlyMap<number, HeaderFields>,
): NodeChain {
  return {
    name,
    implementation: el.implementation,
    reference: role === 'sequencer',
    head,
    gossip: gossip || role === 'sequencer',
    blocks,
    ...(safe === undefined ? {} : { safe }),
    ...(unreachable === undefined ? {} : { unreachable }),
  };
}

async function headOf({ el }: NodeView): Promise<NodeHeads> {
  try {
    const [latest, safe] = await clientFor(el.http).batch(
      [{ method: 'eth_blockNumber' }, { method: 'eth_getBlockByNumber', params: ['safe', false] }],
      { timeoutMs: 3000 },
    );
    if (latest === undefined || !latest.ok) return { unreachable: messageOf(latest?.error) };
    const block = safe?.ok ? (safe.result as { readonly number?: string } | null) : null;
    return { head: Number(latest.result), ...(block?.number === undefined ? {} : { safe: Number(block.number) }) };
  } catch (error) {
    return { unreachable: messageOf(error) };
  }
}

async function allHave(
  nodes: readonly NodeView[],
  block: { readonly number: number; readonly hash: string },
): Promise<boolean> {
  const found = await Promise.all(nodes.map((node) => headers(node, block.number, block.number)));
  return found.every((map) => map.get(block.number)?.hash === block.hash);
}

async function headers(node: NodeView, first: number, last: number): Promise<ReadonlyMap<number, HeaderFields>> {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  try {
    const outcomes = await clientFor(node.el.http).batch(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })),
      { timeoutMs: 10_000 },
    );
    return new Map(
      outcomes.flatMap((outcome, at) => {
        const header = outcome.ok ? (outcome.result as HeaderFields | null) : null;
        return header && typeof header.hash === 'string' ? [[numbers[at]!, header] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}
