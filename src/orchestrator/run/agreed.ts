import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import { aborted } from './launch.ts';

/** The newest answer of a node. */
interface Seen {
  readonly node: string;
  readonly hash?: string;
  readonly detail: string;
}

/** What was missing when the time was over. */
export interface Missing {
  readonly text: string;
  /** `<chain>/<node>` of each node without the block. */
  readonly nodes: readonly string[];
}

/**
 * Resolves when every node of every chain has the first block above genesis, with one hash.
 * Polls a node once `answers` resolves for its execution client. Aborted: resolves with what was missing.
 */
export async function untilAgreed(
  plan: Plan,
  signal: AbortSignal,
  answers: (task: string) => Promise<void>,
): Promise<Missing | undefined> {
  // A call before the listener is open only costs processor time.
  await Promise.race([
    Promise.all(plan.network.chains.flatMap(({ nodes }) => nodes.map(({ el }) => answers(el.task)))),
    aborted(signal),
  ]);
  return untilAll(plan, '0x1', signal, 20);
}

/** Resolves when every node has a safe block above genesis. Aborted: resolves with what was missing. */
export async function untilSafe(plan: Plan, signal: AbortSignal): Promise<Missing | undefined> {
  return untilAll(plan, 'safe', signal, 250);
}

async function untilAll(plan: Plan, block: string, signal: AbortSignal, pauseMs: number): Promise<Missing | undefined> {
  const nodes = plan.network.chains.flatMap((chain) =>
    chain.nodes.map((node) => ({ node: `${chain.name}/${node.name}`, url: node.el.http })),
  );
  const seen = new Map<string, Seen>();
  const isMissing = ({ node }: { readonly node: string }) => seen.get(node)?.hash === undefined;
  let lacking: Missing | undefined = { text: 'no node was asked yet', nodes: nodes.map(({ node }) => node) };
  while (!signal.aborted) {
    const answers = await Promise.all(nodes.filter(isMissing).map(({ node, url }) => look(node, url, block, signal)));
    // An aborted call is no answer.
    if (signal.aborted) break;
    for (const answer of answers) seen.set(answer.node, answer);
    const missing = nodes.filter(isMissing);
    const text = missing.map(({ node }) => `${node}: ${seen.get(node)?.detail}`).join('; ');
    if (missing.length > 0) lacking = { text, nodes: missing.map(({ node }) => node) };
    else lacking = block === '0x1' ? parted(plan, seen) : undefined;
    if (lacking === undefined) return undefined;
    // The sequencer's block can still replace an unsafe one, so all nodes are polled again until the time is over.
    if (missing.length === 0) seen.clear();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return lacking;
}

function parted(plan: Plan, seen: ReadonlyMap<string, Seen>): Missing | undefined {
  const chain = plan.network.chains.find(
    ({ name, nodes }) => new Set(nodes.map((node) => seen.get(`${name}/${node.name}`)?.hash)).size > 1,
  );
  if (chain === undefined) return undefined;
  const hashes = [...seen.values()]
    .filter(({ node }) => node.startsWith(`${chain.name}/`))
    .map(({ node, hash }) => `${node} ${hash}`);
  return { text: `the nodes of ${chain.name} have different blocks 1: ${hashes.join(', ')}`, nodes: [] };
}

async function look(node: string, url: string, block: string, signal: AbortSignal): Promise<Seen> {
  try {
    const answer = await clientFor(url).call<{ hash: string; number: string } | null>(
      'eth_getBlockByNumber',
      [block, false],
      { timeoutMs: 1000, signal },
    );
    if (answer === null || Number(answer.number) < 1) return { node, detail: 'has no block above genesis yet' };
    return { node, hash: answer.hash, detail: '' };
  } catch (error) {
    return { node, detail: messageOf(error) };
  }
}
