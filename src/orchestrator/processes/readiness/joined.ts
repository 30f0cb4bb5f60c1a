import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeView } from '../../plan/plan.ts';
import { type Block, hashAt, readHead } from './agreed.ts';

/** A node that joins a chain, and the nodes that it must agree with. */
export interface Joiner {
  readonly node: NodeView;
  /** Nodes of its chain that run. The first one that answers counts. */
  readonly others: readonly NodeView[];
  /** Number of the lowest block that it may be at. */
  readonly least: number;
}

/** Time (ms) between two readings of a node's head. */
const PAUSE_MS = 100;

/**
 * Resolves with the unsafe head of a node when another node has the same block at that height. With no other node any
 * head is enough. Aborted: resolves with what is missing.
 */
export async function untilJoined(
  { node, others, least }: Joiner,
  signal: AbortSignal,
): Promise<{ readonly head: Block } | { readonly missing: string }> {
  let missing = `${node.name} was not asked yet`;
  while (!signal.aborted) {
    const { head, detail } = await readHead(node, 'unsafe_l2', signal, least);
    if (signal.aborted) break;
    if (head === undefined) missing = `${node.name}: ${detail}`;
    else {
      const hashes = await Promise.all(others.map((other) => hashAt(other, head.number, signal)));
      if (others.length === 0 || hashes.includes(head.hash)) return { head };
      const blocks = others.map((other, at) => `${other.name} ${hashes[at]}`);
      missing = `block ${head.number}: ${[`${node.name} ${head.hash}`, ...blocks].join(', ')}`;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return { missing };
}
