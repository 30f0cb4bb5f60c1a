import type { Divergence } from '../compare.ts';

/** Numbers of a node's newest block and of its newest safe block. */
export interface Heads {
  readonly head: number;
  readonly safe?: number;
}

/** What is compared of a node beside its blocks. */
export interface NodeHeads extends Heads {
  readonly name: string;
  /** Whether it receives blocks by gossip. Without gossip it has only what it derives from L1. */
  readonly gossip: boolean;
  /** Its earlier heads. */
  readonly before?: Heads;
  /** Why it refused the block after its head, as its log says it; absent if no log line says so. */
  readonly refusal?: string;
}

/** Blocks that a node may lag behind the highest head. Gossip and derivation take time; more is a divergence. */
export const MAX_LAG_BLOCKS = 20;

/**
 * Finds the nodes of one chain that refused a block or have fallen behind the highest head, refusals first. A node
 * without gossip is compared by its safe block.
 */
export function compareHeads(chain: string, nodes: readonly NodeHeads[]): Divergence[] {
  const highest = Math.max(0, ...nodes.map(({ head }) => head));
  const highestSafe = Math.max(0, ...nodes.map(({ safe }) => safe ?? 0));
  const divergences = nodes.flatMap((node): Divergence[] => {
    const { name, head, safe = 0, gossip, refusal, before } = node;
    const one = (kind: Divergence['kind'], block: number, reason: string): Divergence[] => [
      { chain, block, nodes: [name], kind, fields: [], reason },
    ];
    if (refusal !== undefined && head < highest) return one('refused', head + 1, refusal);
    const [now, was, lag] = gossip ? [head, before?.head, highest - head] : [safe, before?.safe, highestSafe - safe];
    if (lag <= MAX_LAG_BLOCKS) return [];
    if (was !== undefined && now > was)
      return one('behind', now + 1, `its head moved from block ${was} to ${now}, ${lag} behind the highest head`).map(
        (each) => ({
          ...each,
          catchingUp: true,
        }),
      );
    const stands = gossip ? `${name} is at block ${head}` : `${name} receives no gossip and has safe block ${safe}`;
    return one('behind', now + 1, `${stands}, ${lag} behind the highest head`);
  });
  return divergences.toSorted((a, b) => RANK[a.kind] - RANK[b.kind] || a.block - b.block);
}

const RANK: Readonly<Record<Divergence['kind'], number>> = { hash: 0, refused: 1, behind: 2 };
