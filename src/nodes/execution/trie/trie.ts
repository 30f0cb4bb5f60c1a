import { keccak256Bytes } from '../../../protocol/hash.ts';
import { type Branch, branch, type Child, encodeNode, extension, leaf, type Node, nibblesOf, rlpOf } from './node.ts';

/** Where nodes are kept by hash. */
export interface NodeSource {
  /** @throws where the store lacks the node: its state was never computed here, or the file is damaged */
  node(hash: Uint8Array): Node;
}

/** keccak of the RLP of an empty string: root of the empty trie. */
export const EMPTY_ROOT: Uint8Array = keccak256Bytes(Uint8Array.of(0x80));

/**
 * A Merkle Patricia trie over keys of one length (hashed ones, in practice). Reads load nodes as they go; writes stay in memory until
 * `commit` hashes what is new. Everything is synchronous, because the store is, and that is what makes state access fast.
 */
export class Trie {
  readonly #source: NodeSource;
  #root: Child | null;

  constructor(source: NodeSource, root: Uint8Array = EMPTY_ROOT) {
    this.#source = source;
    this.#root = isEmptyRoot(root) ? null : root;
  }

  /** The value at a key, or undefined. */
  get(key: Uint8Array): Uint8Array | undefined {
    const path = nibblesOf(key);
    let at = 0;
    let child: Child | null = this.#root;
    while (child !== null) {
      const node: Node = this.#load(child);
      if (node.kind === 'branch') {
        child = node.children[path[at++]!] ?? null;
        continue;
      }
      if (!matches(path, at, node.path)) return undefined;
      if (node.kind === 'leaf') return node.value;
      at += node.path.length;
      child = node.child;
    }
    return undefined;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#root = this.#insert(this.#root, nibblesOf(key), 0, value);
  }

  delete(key: Uint8Array): void {
    this.#root = this.#remove(this.#root, nibblesOf(key), 0);
  }

  /** Hashes what is new and hands it to `emit`; returns the root. */
  commit(emit: (hash: Uint8Array, rlp: Uint8Array) => void): Uint8Array {
    if (this.#root === null) return EMPTY_ROOT;
    if (this.#root instanceof Uint8Array) return this.#root;
    const reference = encodeNode(this.#root, emit);
    if (reference.length === 33) return reference.subarray(1);
    const hash = keccak256Bytes(reference);
    emit(hash, reference);
    return hash;
  }

  /** RLP of the nodes from the root towards a key, as EIP-1186 proofs list them; nodes inside their parent are left out. */
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
        child = node.children[path[at++]!] ?? null;
        continue;
      }
      if (node.kind === 'leaf' || !matches(path, at, node.path)) break;
      at += node.path.length;
      child = node.child;
    }
    return proof;
  }

  #load(child: Child): Node {
    return child instanceof Uint8Array ? this.#source.node(child) : child;
  }

  #insert(child: Child | null, path: Uint8Array, at: number, value: Uint8Array): Node {
    if (child === null) return leaf(path.subarray(at), value);
    const node = this.#load(child);
    if (node.kind === 'branch') {
      const slot = path[at]!;
      return withChild(node, slot, this.#insert(node.children[slot] ?? null, path, at + 1, value));
    }
    const shared = sharedLength(path, at, node.path);
    if (shared === node.path.length) {
      if (node.kind === 'leaf') return leaf(node.path, value);
      return extension(node.path, this.#insert(node.child, path, at + shared, value));
    }
    const children: (Child | null)[] = new Array(16).fill(null);
    children[node.path[shared]!] = shortened(node, shared + 1);
    children[path[at + shared]!] = leaf(path.subarray(at + shared + 1), value);
    const fork = branch(children);
    return shared === 0 ? fork : extension(path.subarray(at, at + shared), fork);
  }

  #remove(child: Child | null, path: Uint8Array, at: number): Child | null {
    if (child === null) return null;
    const node = this.#load(child);
    if (node.kind === 'branch') {
      const slot = path[at]!;
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

  /** A branch that loses the child in `slot`: itself, or what is left where only one other child remains. */
  #collapse(node: Branch, slot: number): Child {
    const left: number[] = [];
    for (let at = 0; at < 16; at++) if (at !== slot && node.children[at] !== null) left.push(at);
    if (left.length !== 1) return withChild(node, slot, null);
    return this.#prepend(Uint8Array.of(left[0]!), node.children[left[0]!]!);
  }

  #prepend(path: Uint8Array, child: Child): Node {
    const node = this.#load(child);
    if (node.kind === 'branch') return extension(path, child);
    const longer = new Uint8Array(path.length + node.path.length);
    longer.set(path);
    longer.set(node.path, path.length);
    return node.kind === 'leaf' ? leaf(longer, node.value) : extension(longer, node.child);
  }
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

/** A leaf or extension without the first `count` nibbles of its path. */
function shortened(node: Exclude<Node, Branch>, count: number): Child {
  const path = node.path.subarray(count);
  if (node.kind === 'leaf') return leaf(path, node.value);
  return path.length === 0 ? node.child : extension(path, node.child);
}

function sharedLength(path: Uint8Array, at: number, other: Uint8Array): number {
  let shared = 0;
  while (shared < other.length && path[at + shared] === other[shared]) shared++;
  return shared;
}

function matches(path: Uint8Array, at: number, part: Uint8Array): boolean {
  return sharedLength(path, at, part) === part.length;
}
