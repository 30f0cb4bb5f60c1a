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

/**
 * Resolves when every node of every chain has the first block above genesis, with one hash.
 * Polls a node once `answers` resolves for its execution client. Aborted: resolves with what was missing.
 */
export async function untilAgreed(
  plan: Plan,
  signal: AbortSignal,
  answers: (task: string) => Promise<void>,
): Promise<string | undefined> {
  // A call before the listener is open only costs processor time.
  await Promise.race([
    Promise.all(plan.network.chains.flatMap(({ nodes }) => nodes.map(({ el }) => answers(el.task)))),
    aborted(signal),
  ]);
  return untilAll(plan, '0x1', signal, 8);
}

/** Resolves when every node has a safe block above genesis. Aborted: resolves with what was missing. */
export async function untilSafe(plan: Plan, signal: AbortSignal): Promise<string | undefined> {
  return untilAll(plan, 'safe', signal, 250);
}

/** Growth of the pause between two polls. */
const SLOWER = 1.03;

async function untilAll(
  plan: Plan,
  block: string,
  signal: AbortSignal,
  firstPause: number,
): Promise<string | undefined> {
  const nodes = plan.network.chains.flatMap((chain) => {
    const sequencer = chain.nodes.find(({ role }) => role === 'sequencer')?.name;
    return chain.nodes.map((node) => ({
      node: `${chain.name}/${node.name}`,
      url: node.el.http,
      // Verifiers get the first block from the sequencer, so they are polled after it.
      after:
        block === '0x1' && sequencer !== undefined && node.name !== sequencer
          ? `${chain.name}/${sequencer}`
          : undefined,
    }));
  });
  const seen = new Map<string, Seen>();
  const has = (node: string) => seen.get(node)?.hash !== undefined;
  let isFirstRound = true;
  let lacking: string | undefined = 'no node was asked yet';
  for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * SLOWER, 250)) {
    const open = nodes.filter(({ node, after }) => !has(node) && (!isFirstRound || after === undefined || has(after)));
    const answers = await Promise.all(open.map(({ node, url }) => look(node, url, block, signal)));
    // An aborted call is no answer.
    if (signal.aborted) break;
    for (const answer of answers) seen.set(answer.node, answer);
    const missing = nodes.filter(({ node }) => !has(node));
    // The other nodes have the block soon after the first.
    if (missing.length > 0 && answers.some(({ hash }) => hash !== undefined)) pause = firstPause;
    lacking =
      missing.length > 0
        ? missing.map(({ node, after }) => `${node}: ${seen.get(node)?.detail ?? `waits for ${after}`}`).join('; ')
        : block === '0x1'
          ? parted(plan, seen)
          : undefined;
    if (lacking === undefined) return undefined;
    // The sequencer's block can still replace an unsafe one, so all nodes are polled again until the time is over.
    if (missing.length === 0) {
      seen.clear();
      isFirstRound = false;
    }
    // The nodes behind these are polled at once.
    else if (isFirstRound && missing.some(({ node, after }) => after !== undefined && has(after) && !seen.has(node)))
      continue;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  return lacking;
}

function parted(plan: Plan, seen: ReadonlyMap<string, Seen>): string | undefined {
  const chain = plan.network.chains.find(
    ({ name, nodes }) => new Set(nodes.map((node) => seen.get(`${name}/${node.name}`)?.hash)).size > 1,
  );
  if (chain === undefined) return undefined;
  const hashes = [...seen.values()]
    .filter(({ node }) => node.startsWith(`${chain.name}/`))
    .map(({ node, hash }) => `${node} ${hash}`);
  return `the nodes of ${chain.name} have different blocks 1: ${hashes.join(', ')}`;
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
