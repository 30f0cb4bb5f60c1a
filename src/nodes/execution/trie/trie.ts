import { EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Resumable } from '../../../protocol/resumable.ts';
import { type Emit, encodeNode, rlpOf } from './encode.ts';
import {
  type Branch,
  branch,
  type Child,
  extension,
  type Leaf,
  leaf,
  type Node,
  nibblesOf,
  type StoredNode,
} from './node.ts';

/** Source of trie nodes. */
export interface NodeSource {
  /** @throws if the store lacks the node: its state was not computed here, or the file is damaged */
  node(stored: StoredNode): Node;
}

/**
 * Root of the empty trie: keccak-256 of the RLP of an empty string.
 * A constant, because hashing at start-up takes a millisecond or two.
 */
export const EMPTY_ROOT: Uint8Array = hexToBytes(EMPTY_TRIE_ROOT);

/**
 * A Merkle Patricia trie over keys of equal length (geth: `trie.Trie`).
 * Reads load nodes on demand. Writes stay in memory until `commit` hashes them. All calls are synchronous, like the
 * store, which makes state access fast.
 */
export class Trie {
  readonly #source: NodeSource;
  #root: Child | null;

  /** Without a root the trie is empty. */
  constructor(source: NodeSource, root?: StoredNode) {
    this.#source = source;
    this.#root = root === undefined || isEmptyRoot(root.hash) ? null : root;
  }

  /** The root: a new node or a row id. undefined: the trie is empty. */
  get top(): Node | number | undefined {
    return this.#root?.kind === 'stored' ? this.#root.id : (this.#root ?? undefined);
  }

  /** Returns the value of a key, or undefined. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.find(key)?.value;
  }

  /** Returns the leaf of a key, or undefined. */
  find(key: Uint8Array): Leaf | undefined {
    const path = nibblesOf(key);
    let at = 0;
    let child: Child | null = this.#root;
    while (child !== null) {
      const node: Node = this.#load(child);
      if (node.kind === 'branch') {
        child = node.children[path[at++] ?? 0] ?? null;
        continue;
      }
      if (!matches(path, at, node.path)) return undefined;
      if (node.kind === 'leaf') return node;
      at += node.path.length;
      child = node.child;
    }
    return undefined;
  }

  /** `below` is {@link top} of the trie that the value references. */
  put(key: Uint8Array, value: Uint8Array, below?: Node | number): void {
    const path = nibblesOf(key);
    this.#root = this.#insert(this.#root, path, 0, leaf(path, value, below));
  }

  delete(key: Uint8Array): void {
    this.#root = this.#remove(this.#root, nibblesOf(key), 0);
  }

  /** Hashes new nodes and passes them to `emit` (geth: `Trie.Commit`). Returns the root. */
  *commit(emit: Emit): Resumable<Uint8Array> {
    if (this.#root === null) return EMPTY_ROOT;
    if (this.#root.kind === 'stored') return this.#root.hash;
    for (const node of belowBranches(this.#root, STEP_DEPTH)) {
      encodeNode(node, emit);
      yield;
    }
    const reference = encodeNode(this.#root, emit);
    if (reference.length === 33) return reference.subarray(1);
    const hash = keccak256Bytes(reference);
    emit(hash, reference, this.#root);
    return hash;
  }

  /**
   * Returns the RLP of the nodes on the path to a key, as in EIP-1186 proofs (geth: `Trie.Prove`).
   * Inline nodes are omitted.
   */
  prove(key: Uint8Array): Uint8Array[] {
    const path = nibblesOf(key);
    const proof: Uint8Array[] = [];
    let at = 0;
    let child: Child | null = this.#root;
    while (child !== null) {
      const node: Node = this.#load(child);
      const rlp = rlpOf(node, () => {});
      if (proof.length === 0 || rlp.length >= 32) proof.push(rlp);
      if (node.kind === 'branch') {
        child = node.children[path[at++] ?? 0] ?? null;
        continue;
      }
      if (node.kind === 'leaf' || !matches(path, at, node.path)) break;
      at += node.path.length;
      child = node.child;
    }
    return proof;
  }

  #load(child: Child): Node {
    return child.kind === 'stored' ? this.#source.node(child) : child;
  }

  /** `put` is the new leaf with its whole path. */
  #insert(child: Child | null, path: Uint8Array, at: number, put: Leaf): Node {
    if (child === null) return cut(put, at);
    const node = this.#load(child);
    if (node.kind === 'branch') {
      const slot = path[at] ?? 0;
      return withChild(node, slot, this.#insert(node.children[slot] ?? null, path, at + 1, put));
    }
    const shared = sharedLength(path, at, node.path);
    if (shared === node.path.length) {
      if (node.kind === 'leaf') return cut(put, at);
      return extension(node.path, this.#insert(node.child, path, at + shared, put));
    }
    const children: (Child | null)[] = new Array(16).fill(null);
    children[node.path[shared] ?? 0] = shortened(node, shared + 1);
    children[path[at + shared] ?? 0] = cut(put, at + shared + 1);
    const fork = branch(children);
    return shared === 0 ? fork : extension(path.subarray(at, at + shared), fork);
  }

  #remove(child: Child | null, path: Uint8Array, at: number): Child | null {
    if (child === null) return null;
    const node = this.#load(child);
    if (node.kind === 'branch') {
      const slot = path[at] ?? 0;
      const before = node.children[slot] ?? null;
      const after = this.#remove(before, path, at + 1);
      if (after === before) return child;
      return after === null ? this.#collapse(node, slot) : withChild(node, slot, after);
    }
    if (!matches(path, at, node.path)) return child;
    if (node.kind === 'leaf') return null;
    const after = this.#remove(node.child, path, at + node.path.length);
    if (after === node.child) return child;
    return after === null ? null : this.#prepend(node.path, after);
  }

  /** Removes the child in `slot` of a branch. Merges the branch with its only remaining child. */
  #collapse(node: Branch, slot: number): Child {
    let only: { readonly nibble: number; readonly child: Child } | undefined;
    for (const [nibble, child] of node.children.entries()) {
      if (nibble === slot || child === null) continue;
      if (only !== undefined) return withChild(node, slot, null);
      only = { nibble, child };
    }
    return only === undefined ? withChild(node, slot, null) : this.#prepend(Uint8Array.of(only.nibble), only.child);
  }

  #prepend(path: Uint8Array, child: Child): Node {
    const node = this.#load(child);
    if (node.kind === 'branch') return extension(path, child);
    const longer = new Uint8Array(path.length + node.path.length);
    longer.set(path);
    longer.set(node.path, path.length);
    return node.kind === 'leaf' ? leaf(longer, node.value, node.below) : extension(longer, node.child);
  }
}

/** Depth in branches of the parts that are encoded in one step: 2 makes 256 parts. */
const STEP_DEPTH = 2;

/** Yields new nodes below `depth` branches. */
function* belowBranches(node: Node, depth: number): Iterable<Node> {
  if (depth === 0) yield node;
  else if (node.kind === 'branch')
    for (const child of node.children)
      if (child !== null && child.kind !== 'stored') yield* belowBranches(child, depth - 1);
}

function isEmptyRoot(root: Uint8Array): boolean {
  for (let at = 0; at < 32; at++) if (root[at] !== EMPTY_ROOT[at]) return false;
  return true;
}

function withChild(node: Branch, slot: number, child: Child | null): Branch {
  const children = node.children.slice();
  children[slot] = child;
  return branch(children);
}

/** Returns a leaf or extension without the first `count` nibbles of its path. */
function shortened(node: Exclude<Node, Branch>, count: number): Child {
  if (node.kind === 'leaf') return cut(node, count);
  const path = node.path.subarray(count);
  return path.length === 0 ? node.child : extension(path, node.child);
}

function cut({ path, value, below }: Leaf, count: number): Leaf {
  return leaf(path.subarray(count), value, below);
}

function sharedLength(path: Uint8Array, at: number, other: Uint8Array): number {
  let shared = 0;
  while (shared < other.length && path[at + shared] === other[shared]) shared++;
  return shared;
}

function matches(path: Uint8Array, at: number, part: Uint8Array): boolean {
  return sharedLength(path, at, part) === part.length;
}
