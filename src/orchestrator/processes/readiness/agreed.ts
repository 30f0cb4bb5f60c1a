import { setTimeout as sleep } from 'node:timers/promises';
import { quantity } from '../../../protocol/hex.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { untilAborted } from '../launch.ts';

/** A head of a rollup node (`optimism_syncStatus`). */
type Label = 'unsafe_l2' | 'safe_l2';

/** A block of a node. */
export interface Block {
  readonly number: number;
  readonly hash: string;
}

/** The newest answer of a node: its head if that is above genesis, else what it lacks. */
interface Seen {
  readonly head?: Block;
  readonly detail: string;
}

/** What was missing when the time was over. */
export interface Missing {
  readonly text: string;
  /** `<chain>/<node>` of each node without the block. */
  readonly nodes: readonly string[];
}

/** How nodes come to agree. */
export interface Agreement {
  /** Resolves when a task is ready. */
  readonly answers: (task: string) => Promise<void>;
  /**
   * Called with how the nodes differ if that stands for some seconds. Given where nodes start with their data: those
   * of a network that had diverged never agree, and its user looks for the cause. Without it a difference is a failure.
   */
  readonly onDifference?: (difference: string) => void;
}

/** Milliseconds for one answer. */
const HEAD_TIMEOUT_MS = 1000;

/** Milliseconds for which nodes must differ: a sequencer that lost unsafe blocks replaces them after a start. */
const MIN_DIFFERENCE_MS = 5000;

/**
 * Resolves when every rollup node has an unsafe head above genesis, and nodes agree on the lowest.
 * An execution client that starts with data has its blocks at once. Its rollup node still has to find the heads, and L1
 * may still be given its blocks. Aborted: resolves with what was missing.
 */
export async function untilAgreed(
  plan: Plan,
  signal: AbortSignal,
  { answers, onDifference }: Agreement,
): Promise<Missing | undefined> {
  const tasks = plan.network.chains.flatMap(({ nodes }) => nodes.flatMap(({ el, cl }) => [el.task, cl.task]));
  // A call before the listener is open only costs processor time.
  await Promise.race([Promise.all(tasks.map(answers)), untilAborted(signal)]);
  const since = new Map<string, number>();
  return untilAll(plan, 'unsafe_l2', signal, 20, async (chain, heads) => {
    const difference = await differenceAt(chain, heads, signal);
    const begin = since.get(chain.name) ?? performance.now();
    if (difference === undefined) since.delete(chain.name);
    else since.set(chain.name, begin);
    if (difference === undefined || onDifference === undefined) return difference;
    if (performance.now() - begin < MIN_DIFFERENCE_MS) return difference;
    onDifference(`the nodes start with data that differ: ${difference}`);
    return undefined;
  });
}

/** Resolves when every node has a safe block above genesis. Aborted: resolves with what was missing. */
export async function untilSafe(plan: Plan, signal: AbortSignal): Promise<Missing | undefined> {
  return untilAll(plan, 'safe_l2', signal, 250, async () => undefined);
}

async function untilAll(
  { network: { chains } }: Plan,
  label: Label,
  signal: AbortSignal,
  pauseMs: number,
  differing: (chain: ChainView, heads: ReadonlyMap<string, Block>, signal: AbortSignal) => Promise<string | undefined>,
): Promise<Missing | undefined> {
  const all = chains.flatMap((chain) => chain.nodes.map((node) => ({ id: idOf(chain, node), node })));
  const answersByNode = new Map<string, Seen>();
  let lacking: Missing = { text: 'no node was asked yet', nodes: all.map(({ id }) => id) };
  while (!signal.aborted) {
    const open = all.filter(({ id }) => answersByNode.get(id)?.head === undefined);
    const answers = await Promise.all(
      open.map(async ({ id, node }) => [id, await readHead(node, label, signal)] as const),
    );
    // An aborted call is no answer.
    if (signal.aborted) break;
    for (const [id, answer] of answers) answersByNode.set(id, answer);
    const heads = new Map(
      [...answersByNode].flatMap(([id, { head }]) => (head === undefined ? [] : [[id, head] as const])),
    );
    const missing = all.filter(({ id }) => !heads.has(id)).map(({ id }) => id);
    if (missing.length > 0) {
      lacking = { text: missing.map((id) => `${id}: ${answersByNode.get(id)?.detail}`).join('; '), nodes: missing };
    } else {
      const [text] = (await Promise.all(chains.map((chain) => differing(chain, heads, signal)))).filter(Boolean);
      if (signal.aborted) break;
      if (text === undefined) return undefined;
      lacking = { text, nodes: [] };
      // The sequencer's block can still replace an unsafe one, so all nodes are polled again until the time is over.
      answersByNode.clear();
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return lacking;
}

/** Says how the nodes of a chain differ at the lowest of their heads; undefined if they do not. */
async function differenceAt(
  chain: ChainView,
  heads: ReadonlyMap<string, Block>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headOf = (node: NodeView) => heads.get(idOf(chain, node));
  const lowest = Math.min(...chain.nodes.map((node) => headOf(node)?.number ?? 0));
  const hashes = await Promise.all(
    chain.nodes.map(async (node) => {
      const head = headOf(node);
      return head?.number === lowest ? head.hash : hashAt(node, lowest, signal);
    }),
  );
  if (new Set(hashes).size <= 1) return undefined;
  const blocks = chain.nodes.map((node, at) => `${idOf(chain, node)} ${hashes[at]}`);
  return `the nodes of ${chain.name} have different blocks ${lowest}: ${blocks.join(', ')}`;
}

/**
 * Reads a head of a node. A rollup node that has not found its heads answers with block 0. `least`: number of the
 * lowest block that is a head.
 */
export async function readHead({ cl }: NodeView, label: Label, signal: AbortSignal, least = 1): Promise<Seen> {
  try {
    const status = await clientFor(cl.rpc).call('optimism_syncStatus', [], { timeoutMs: HEAD_TIMEOUT_MS, signal });
    const block = jsonField(status, label);
    const [number, hash] = [Number(jsonField(block, 'number')), String(jsonField(block, 'hash'))];
    return number >= least ? { head: { number, hash }, detail: '' } : { detail: 'has no block above genesis yet' };
  } catch (error) {
    return { detail: messageOf(error) };
  }
}

/** Returns the hash of a node's block, or why it is not known. */
export async function hashAt({ el }: NodeView, number: number, signal: AbortSignal): Promise<string> {
  try {
    const params = [quantity(number), false];
    const block = await clientFor(el.http).call('eth_getBlockByNumber', params, { timeoutMs: HEAD_TIMEOUT_MS, signal });
    return String(jsonField(block, 'hash') ?? 'none');
  } catch (error) {
    return messageOf(error);
  }
}

function idOf(chain: ChainView, node: NodeView): string {
  return `${chain.name}/${node.name}`;
}
