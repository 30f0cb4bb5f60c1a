/**
 * Nodes of the Merkle Patricia trie (Yellow Paper, appendix D) over keys of one length, so that no branch holds a value. Nodes are immutable:
 * an update makes new ones along its path and shares the rest. A child is the node itself, or stands for one that a store keeps.
 */
export type Node = Leaf | Extension | Branch;
export type Child = Node | StoredNode;

interface Encoded {
  /** How a parent names this node: `0xa0 ‖ hash`, or the node's own RLP where that is shorter than 32 bytes. Absent until it is encoded. */
  reference?: Uint8Array;
}
export interface Leaf extends Encoded {
  readonly kind: 'leaf';
  readonly path: Uint8Array;
  readonly value: Uint8Array;
  /** Root of the trie that the value names (an account's storage): new, or its place in the store. */
  readonly below: Node | number | undefined;
}
export interface Extension extends Encoded {
  readonly kind: 'extension';
  readonly path: Uint8Array;
  readonly child: Child;
}
export interface Branch extends Encoded {
  readonly kind: 'branch';
  /** 16 children by nibble. */
  readonly children: readonly (Child | null)[];
}

/** A node that a store keeps: its hash, and the place at which the store finds it without a search. */
export class StoredNode {
  readonly kind = 'stored';
  /** undefined in a source that finds its nodes by hash. */
  readonly id: number | undefined;
  /** `0xa0 ‖ hash` stands in here, most often the parent's RLP: a branch would need sixteen views otherwise. */
  readonly within: Uint8Array;
  readonly at: number;

  constructor(within: Uint8Array, at: number, id: number | undefined) {
    this.within = within;
    this.at = at;
    this.id = id;
  }

  get hash(): Uint8Array {
    return this.within.subarray(this.at + 1, this.at + 33);
  }
}

export const leaf = (path: Uint8Array, value: Uint8Array, below?: Node | number): Leaf => ({
  kind: 'leaf',
  path,
  value,
  below,
});
export const branch = (children: readonly (Child | null)[]): Branch => ({ kind: 'branch', children });
/** An extension, or the child itself where the path is empty. */
export const extension = (path: Uint8Array, child: Child): Extension => ({ kind: 'extension', path, child });
/** The node with a hash, in a store that has it at `place`. */
export const storedNode = (hash: Uint8Array, id?: number): StoredNode => new StoredNode(hashReference(hash), 0, id);

/** `0xa0 ‖ hash`. */
export function hashReference(hash: Uint8Array): Uint8Array {
  const reference = new Uint8Array(33);
  reference[0] = 0xa0;
  reference.set(hash, 1);
  return reference;
}

/** The half-bytes of a key, high one first. */
export function nibblesOf(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let at = 0; at < key.length; at++) {
    nibbles[at * 2] = key[at]! >> 4;
    nibbles[at * 2 + 1] = key[at]! & 15;
  }
  return nibbles;
}
