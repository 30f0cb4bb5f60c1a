import { setTimeout as sleep } from 'node:timers/promises';
import { quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import type { Problem } from '../../state/problem.ts';
import { HEADS_TIMEOUT_MS } from '../../status/heads.ts';
import { compareBlocks, type Divergence, type HeaderFields, isHeader } from '../compare.ts';
import { refusalOf } from '../refusal.ts';
import { compareHeads, type Heads, type NodeHeads } from './compare-heads.ts';

export interface CheckResult {
  /** Whether nodes answered and none of them diverges. A node that does not answer is among `problems`. */
  readonly agree: boolean;
  /** Number of independent implementations compared, of execution clients and rollup nodes. */
  readonly implementations: number;
  /** The first divergence. */
  readonly divergence: Divergence | null;
  /** Every node that diverges or is behind. */
  readonly divergences: readonly Divergence[];
  /** Processes that stand still, do not answer or are down. */
  readonly problems: readonly Problem[];
}

/** The highest block of each chain on which all nodes agreed. */
export type Agreed = Readonly<Record<string, { readonly number: number; readonly hash: string }>>;

/** Problem of a node that did not answer a request. */
export const NO_ANSWER = 'does not answer';

/** Receives the progress of a chain: the last compared block and the last one to compare. */
export type Compared = (chain: string, block: number, last: number) => void;

/** Headers requested in one batch. */
const HEADERS_PER_BATCH = 200;

/** Time (ms) after which a lagging node is asked again: one batch makes many blocks safe at once. */
const LAGGING_POLL_MS = 1000;

/**
 * Compares every block that at least two nodes have, from genesis or from the last agreed block. `agreed` counts only
 * if all nodes still have that block. `compared` is called after each batch of blocks.
 */
export async function checkNetwork(
  plan: Plan,
  before: Agreed,
  compared: Compared = () => undefined,
): Promise<CheckResult & { readonly agreed: Agreed }> {
  const results = await Promise.all(
    plan.network.chains.map((chain) => checkChain(plan, chain, before[chain.name], compared)),
  );
  const divergences = results.flatMap((result) => result.divergences);
  const taking = new Set(results.flatMap(({ implementations }) => implementations));
  const agreed: Record<string, { number: number; hash: string }> = { ...before };
  for (const result of results) if (result.agreed) agreed[result.chain] = result.agreed;
  return {
    agree: divergences.length === 0 && taking.size > 0,
    implementations: taking.size,
    divergence: divergences[0] ?? null,
    divergences,
    problems: results.flatMap(({ problems }) => problems),
    agreed,
  };
}

async function checkChain(
  plan: Plan,
  chain: ChainView,
  before: { readonly number: number; readonly hash: string } | undefined,
  compared: Compared,
) {
  const started = Date.now();
  const silent: Silent = new Map();
  const answering = () => chain.nodes.filter((node) => !silent.has(node));
  const first = await headsOf(answering(), silent);
  const heights = [...first.values()].map(({ head }) => head).sort((a, b) => a - b);
  const lowest = heights[0] ?? -1;
  // Above the second highest head there is nothing to compare.
  const last = heights.at(-2) ?? lowest;
  const from =
    before !== undefined && before.number <= lowest && (await allHave(answering(), before, silent)) ? before.number : 0;
  const differences: Divergence[] = [];
  const going = () => answering().filter(({ name }) => !differences.some(({ nodes }) => nodes.includes(name)));
  let common: HeaderFields | undefined;
  for (let block = from; block <= last; block += HEADERS_PER_BATCH) {
    const end = Math.min(block + HEADERS_PER_BATCH - 1, last);
    const nodes = await Promise.all(
      going().map(async (node) => ({
        name: node.name,
        reference: node.role === 'sequencer',
        blocks: await headers(node, block, end, silent),
      })),
    );
    differences.push(...compareBlocks(chain.name, nodes));
    common = nodes[0]?.blocks.get(lowest) ?? common;
    compared(chain.name, end, last);
  }
  let stuck = await stuckNodes(plan, chain, going(), silent);
  if (stuck.some(({ kind }) => kind === 'behind')) {
    await sleep(LAGGING_POLL_MS);
    stuck = await stuckNodes(plan, chain, going(), silent, first);
  }
  const divergences = [...differences, ...stuck];
  const isWhole = divergences.length === 0 && silent.size === 0;
  return {
    chain: chain.name,
    implementations: answering().flatMap((node) => [node.el.implementation, node.cl.implementation]),
    divergences,
    problems: [...silent].map(
      ([{ el }, because]): Problem => ({ subject: el.task, what: NO_ANSWER, since: started, because }),
    ),
    agreed: isWhole && common !== undefined ? { number: lowest, hash: common.hash } : undefined,
  };
}

/** Returns the nodes that refused a block or are behind the others. `before`: their earlier heads. */
async function stuckNodes(
  plan: Plan,
  chain: ChainView,
  nodes: readonly NodeView[],
  silent: Silent,
  before: ReadonlyMap<NodeView, Heads> = new Map(),
): Promise<Divergence[]> {
  const heads = await headsOf(nodes, silent);
  const highest = Math.max(-1, ...[...heads.values()].map(({ head }) => head));
  return compareHeads(
    chain.name,
    await Promise.all(
      [...heads].map(async ([node, nodeHeads]) => {
        const was = before.get(node);
        const now = await standing(plan, chain, node, nodeHeads, highest, silent);
        return was === undefined ? now : { ...now, before: was };
      }),
    ),
  );
}

/** Nodes that did not answer a request, with the reason. They are not asked again. */
type Silent = Map<NodeView, string>;

/** Returns a node's heads, and why it refused the block after its own if others are higher. */
async function standing(
  plan: Plan,
  chain: ChainView,
  node: NodeView,
  heads: Heads,
  highest: number,
  silent: Silent,
): Promise<NodeHeads> {
  const bare: NodeHeads = { name: node.name, gossip: node.gossip || node.role === 'sequencer', ...heads };
  const { head } = heads;
  if (head >= highest) return bare;
  const headersAbove = await Promise.all(
    chain.nodes
      .filter((other) => other !== node && !silent.has(other))
      .map(async (other) => (await headers(other, head + 1, head + 1, silent)).get(head + 1)),
  );
  const next = headersAbove.find((header) => header !== undefined);
  if (next === undefined) return bare;
  const logs = plan.tasks.filter(({ id }) => id === node.el.task || id === node.cl.task).map(({ log }) => log);
  const refusal = refusalOf(logs, { number: head + 1, hash: next.hash });
  return refusal === undefined ? bare : { ...bare, refusal };
}

/** Reads the heads of the nodes that answer. */
async function headsOf(nodes: readonly NodeView[], silent: Silent): Promise<ReadonlyMap<NodeView, Heads>> {
  const pairs = await Promise.all(nodes.map(async (node) => [node, await headOf(node, silent)] as const));
  return new Map(pairs.flatMap(([node, heads]) => (heads === undefined ? [] : [[node, heads] as const])));
}

async function headOf(node: NodeView, silent: Silent): Promise<Heads | undefined> {
  try {
    const outcomes = await clientFor(node.el.http).batch(
      [{ method: 'eth_blockNumber' }, { method: 'eth_getBlockByNumber', params: ['safe', false] }],
      { timeoutMs: HEADS_TIMEOUT_MS },
    );
    const latest = present(outcomes[0], 'outcome of eth_blockNumber');
    if (!latest.ok) throw latest.error;
    const safe = present(outcomes[1], 'outcome of eth_getBlockByNumber');
    const number = safe.ok ? jsonField(safe.result, 'number') : undefined;
    return { head: Number(latest.result), ...(number === undefined ? {} : { safe: Number(number) }) };
  } catch (error) {
    silent.set(node, messageOf(error));
    return undefined;
  }
}

async function allHave(
  nodes: readonly NodeView[],
  block: { readonly number: number; readonly hash: string },
  silent: Silent,
): Promise<boolean> {
  const answers = await Promise.all(nodes.map((node) => headers(node, block.number, block.number, silent)));
  return answers.every((map) => map.get(block.number)?.hash === block.hash);
}

/** Reads headers by number; empty for a node that does not answer. */
async function headers(
  node: NodeView,
  first: number,
  last: number,
  silent: Silent,
): Promise<ReadonlyMap<number, HeaderFields>> {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  try {
    const outcomes = await clientFor(node.el.http).batch(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })),
      { timeoutMs: 10_000 },
    );
    return new Map(
      outcomes.flatMap((outcome, at) => {
        return outcome.ok && isHeader(outcome.result) ? [[first + at, outcome.result] as const] : [];
      }),
    );
  } catch (error) {
    silent.set(node, messageOf(error));
    return new Map();
  }
}
