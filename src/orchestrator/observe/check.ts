import { messageOf } from '../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import { compareChain, type Divergence, type HeaderFields, type NodeChain } from './agreement.ts';
import { refusalOf } from './refusal.ts';

export interface CheckResult {
  readonly agree: boolean;
  /** How many independent implementations took part. */
  readonly implementations: number;
  readonly divergence: Divergence | null;
}

/** The highest block of each chain on which all nodes were seen to agree. */
export type Agreed = Readonly<Record<string, { readonly number: number; readonly hash: string }>>;

/** Headers asked for in one message. */
const BATCH = 200;

/**
 * Compares every block on every node, from genesis or from where they last agreed, up to the lowest head. `agreed` is believed only where
 * all nodes still have that block.
 */
export async function checkNetwork(plan: Plan, before: Agreed): Promise<CheckResult & { readonly agreed: Agreed }> {
  const results = await Promise.all(plan.network.chains.map((chain) => checkChain(plan, chain, before[chain.name])));
  const divergence = results.find((result) => result.divergence !== null)?.divergence ?? null;
  const taking = new Set(results.flatMap(({ implementations }) => implementations));
  const agreed: Record<string, { number: number; hash: string }> = { ...before };
  for (const result of results) if (result.agreed) agreed[result.chain] = result.agreed;
  return { agree: divergence === null, implementations: taking.size, divergence, agreed };
}

async function checkChain(
  plan: Plan,
  chain: ChainView,
  before: { readonly number: number; readonly hash: string } | undefined,
) {
  const heads = await Promise.all(chain.nodes.map((node) => headOf(node)));
  const known = heads.flatMap(({ head }) => head ?? []);
  const lowest = known.length > 0 ? Math.min(...known) : -1;
  const highest = Math.max(-1, ...known);
  const answering = chain.nodes.filter((_, at) => heads[at]?.head !== undefined);
  const from =
    before !== undefined && before.number <= lowest && (await allHave(answering, before)) ? before.number : 0;
  let divergence: Divergence | null = null;
  let last: HeaderFields | undefined;
  for (let first = from; first <= lowest && divergence === null; first += BATCH) {
    const end = Math.min(first + BATCH - 1, lowest);
    const nodes = await Promise.all(
      answering.map(async (node) => nodeChain(node, lowest, await headers(node, first, end))),
    );
    divergence = compareChain(chain.name, nodes);
    last = nodes[0]?.blocks.get(end);
  }
  divergence ??= compareChain(
    chain.name,
    await Promise.all(chain.nodes.map((node, at) => standing(plan, chain, node, heads[at]!, highest))),
  );
  return {
    chain: chain.name,
    implementations: answering.map((node) => node.el.implementation),
    divergence,
    agreed: divergence === null && last !== undefined ? { number: lowest, hash: last.hash } : undefined,
  };
}

/** How a node stands to the highest head, without blocks: behind, refusing, silent. */
async function standing(
  plan: Plan,
  chain: ChainView,
  node: NodeView,
  { head, unreachable }: Awaited<ReturnType<typeof headOf>>,
  highest: number,
): Promise<NodeChain> {
  const bare = { ...nodeChain(node, head, new Map()), ...(unreachable === undefined ? {} : { unreachable }) };
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

function nodeChain(node: NodeView, head: number | undefined, blocks: ReadonlyMap<number, HeaderFields>): NodeChain {
  return {
    name: node.name,
    implementation: node.el.implementation,
    reference: node.role === 'sequencer',
    head,
    blocks,
  };
}

async function headOf(node: NodeView): Promise<{ readonly head?: number; readonly unreachable?: string }> {
  try {
    return { head: Number(await clientFor(node.el.http).call<string>('eth_blockNumber', [], { timeoutMs: 3000 })) };
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
