import { present } from '../../../protocol/present.ts';
import type { BlockRef } from '../../health/gauge/head-window.ts';
import type { FollowedNode } from './followed-node.ts';
import type { Standing } from './standing.ts';

/** A node whose head stands below a child that another node has. */
export interface Stuck {
  readonly node: string;
  readonly next: BlockRef;
  /** The node that has it. */
  readonly holder: string;
}

/** Blocks that nodes of one chain refused, until they have passed them. */
export class Refusals {
  readonly #refusals = new Map<string, { readonly next: BlockRef; readonly words: string }>();

  /** Records that a stuck node refused the block, with its words. */
  add({ node, next }: Stuck, words: string): void {
    this.#refusals.set(node, { next, words });
  }

  /** Returns whether the node is known to have refused this block. */
  has(node: string, { hash }: BlockRef): boolean {
    return this.#refusals.get(node)?.next.hash === hash;
  }

  delete(node: string): void {
    this.#refusals.delete(node);
  }

  /** Forgets the refusals of nodes that have passed the block. */
  forgetPassed(nodes: Iterable<FollowedNode>): void {
    for (const { name, window } of nodes) {
      const refusal = this.#refusals.get(name);
      if (refusal !== undefined && (window.head?.number ?? -1) >= refusal.next.number) this.#refusals.delete(name);
    }
  }

  /**
   * Returns a divergence for each refused block. The minority are the nodes that refused it, or those that have it; of
   * equally many, the side without the reference. `now`: Unix milliseconds.
   */
  divergences(nodes: readonly FollowedNode[], now: number): Standing[] {
    const blocks = Map.groupBy(this.#refusals, ([, { next }]) => `${next.number} ${next.hash}`);
    return [...blocks.values()].flatMap((refusals): Standing[] => {
      const [first, { next, words }] = present(refusals[0], 'refusal');
      const refusers = refusals.map(([name]) => name).sort();
      const holders = nodes.filter(({ window }) => window.hashes.get(next.number) === next.hash);
      const isRight = holders.length > refusers.length;
      const isReference = holders.some(({ reference }) => reference);
      const keep = isRight || (holders.length === refusers.length && isReference);
      const minority = keep ? refusers : holders.map(({ name }) => name).sort();
      const against = keep ? holders[0]?.name : first;
      if (minority.length === 0 || against === undefined) return [];
      return [
        {
          ...{ block: next.number, nodes: minority, kind: 'refused', against, hash: next.hash },
          refusal: { node: first, words },
          since: now,
        },
      ];
    });
  }
}
