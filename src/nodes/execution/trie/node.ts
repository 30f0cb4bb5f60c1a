/**
 * Nodes of the Merkle Patricia trie (Yellow Paper, appendix D) over keys of equal length (geth: `fullNode`,
 * `shortNode`).
 * So no branch holds a value. Nodes are immutable: an update creates new ones on its path and shares the others. A
 * child is a node, or references a stored one.
 */
export type Node = Leaf | Extension | Branch;
/** A node in memory, or the reference of a stored one. */
export type Child = Node | StoredNode;

interface Encoded {
  /** Reference in the parent: `0xa0 ‖ hash`, or the RLP of a node below 32 bytes. Absent before encoding. */
  reference?: Uint8Array;
}
/** A node that ends a key and holds its value. */
export interface Leaf extends Encoded {
  readonly kind: 'leaf';
  readonly path: Uint8Array;
  readonly value: Uint8Array;
  /** Root of the storage trie of an account: a new node or a row id. */
  readonly below: Node | number | undefined;
}
/** A node for a part of a key that all keys below it share. */
export interface Extension extends Encoded {
  readonly kind: 'extension';
  readonly path: Uint8Array;
  readonly child: Child;
}
/** A node with one child by the next nibble. */
export interface Branch extends Encoded {
  readonly kind: 'branch';
  /** 16 children by nibble. */
  readonly children: readonly (Child | null)[];
}

/** A node in the store: its hash, and its row id. */
export class StoredNode {
  readonly kind = 'stored';
  /** undefined in a source that finds nodes by hash. */
  readonly id: number | undefined;
  /** Bytes that contain `0xa0 ‖ hash`, most often the parent's RLP. A branch so needs no sixteen views. */
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

/** Creates a leaf. */
export const leaf = (path: Uint8Array, value: Uint8Array, below?: Node | number): Leaf => ({
  kind: 'leaf',
  path,
  value,
  below,
});
/** Creates a branch. */
export const branch = (children: readonly (Child | null)[]): Branch => ({ kind: 'branch', children });
/** Creates an extension. */
export const extension = (path: Uint8Array, child: Child): Extension => ({ kind: 'extension', path, child });
/** Returns a reference to the stored node with a hash. `id` is its row id. */
export const storedNode = (hash: Uint8Array, id?: number): StoredNode => new StoredNode(hashReference(hash), 0, id);

/** Bytes of `0xa0 ‖ hash`. */
export const REFERENCE_BYTES = 33;

/** `0xa0 ‖ hash`. */
export function hashReference(hash: Uint8Array): Uint8Array {
  const reference = new Uint8Array(REFERENCE_BYTES);
  reference[0] = 0xa0;
  reference.set(hash, 1);
  return reference;
}

/** Splits a key into nibbles, the high one first. */
export function nibblesOf(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let at = 0; at < key.length; at++) {
    nibbles[at * 2] = (key[at] ?? 0) >> 4;
    nibbles[at * 2 + 1] = (key[at] ?? 0) & 15;
  }
  return nibbles;
}
