import { type FollowedNode, newestCommon } from './followed-node.ts';

/** A divergence between the nodes of one chain that was confirmed. */
export interface Standing {
  /** The first block at which they diverge. */
  readonly block: number;
  /** The minority, or the nodes that differ from the sequencer if there is no majority. */
  readonly nodes: readonly string[];
  readonly kind: 'hash' | 'refused';
  /** A node of the majority. */
  readonly against: string;
  /** Hash of the block on the majority, and on the minority if it has one. */
  readonly hash: string;
  readonly other?: string;
  /** For a refused block: the node that refused it, with its words. */
  readonly refusal?: { readonly node: string; readonly words: string };
  /** Unix milliseconds at which it was first seen. */
  readonly since: number;
}

/** A change of agreement. */
export type Change =
  | { readonly kind: 'divergence'; readonly standing: Standing }
  /** `block`: the newest block on which the nodes agree again. */
  | { readonly kind: 'agreement'; readonly standing: Standing; readonly block: number };

/** The divergences of one chain that were confirmed, until their nodes agree again. */
export class StandingDivergences {
  readonly #standing = new Map<string, Standing>();

  get all(): readonly Standing[] {
    return [...this.#standing.values()];
  }

  /** Returns the divergence of exactly these nodes. */
  of(nodes: readonly string[]): Standing | undefined {
    return this.#standing.get(nameOf(nodes));
  }

  /** Adds a divergence, in place of those of the same nodes or of some of them. */
  add(standing: Standing): Change {
    for (const [key, { nodes }] of this.#standing)
      if (nodes.every((name) => standing.nodes.includes(name))) this.#standing.delete(key);
    this.#standing.set(nameOf(standing.nodes), standing);
    return { kind: 'divergence', standing };
  }

  /** Forgets the divergences of a node that has left the network. */
  drop(name: string): void {
    for (const [key, { nodes }] of this.#standing) if (nodes.includes(name)) this.#standing.delete(key);
  }

  /**
   * Ends the divergences whose nodes have the block, or a later one, in common with another node. If all nodes have
   * gone back below the block, as in a return to a snapshot, an earlier block in common is enough.
   * `different` names the nodes that differ from others now.
   */
  end(nodes: readonly FollowedNode[], different: ReadonlySet<string>): Extract<Change, { kind: 'agreement' }>[] {
    return this.all.flatMap((standing) => {
      const members = nodes.filter(({ name }) => standing.nodes.includes(name));
      const others = nodes.filter(({ name }) => !standing.nodes.includes(name) && !different.has(name));
      if (members.length < standing.nodes.length || members.some(({ name }) => different.has(name))) return [];
      const common = members.map((node) => Math.max(-1, ...others.map((other) => newestCommon([node, other]))));
      const block = Math.min(...common);
      if (block < standing.block && (block < 0 || !isBelow(standing, nodes))) return [];
      this.#standing.delete(nameOf(standing.nodes));
      return [{ kind: 'agreement', standing, block }];
    });
  }
}

/** Whether no node has the block of a divergence any more. The node of the majority must be known. */
function isBelow({ block, against }: Standing, nodes: readonly FollowedNode[]): boolean {
  return (
    nodes.some(({ name }) => name === against) && nodes.every(({ window: { head } }) => head && head.number < block)
  );
}

const nameOf = (nodes: readonly string[]) => nodes.join(' ');
