import { genesisState } from '../../../../src/nodes/execution/chain/genesis.ts';
import type { NewNode, StateDiff } from '../../../../src/nodes/execution/state/commit.ts';
import { StateReader, type StateSource } from '../../../../src/nodes/execution/state/reader.ts';
import { type Node, type StoredNode, storedNode } from '../../../../src/nodes/execution/trie/node.ts';
import { decodeNode } from '../../../../src/nodes/execution/trie/stored.ts';
import type { Alloc } from './genesis.ts';

/** The stored parts of a state. */
type Written = Pick<StateDiff, 'root' | 'codes'> & { readonly nodes: readonly Omit<NewNode, 'node'>[] };

/** Trie nodes and code in memory: a state without a datadir. */
export class MemoryState implements StateSource {
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #codes = new Map<string, Uint8Array>();

  root(hash: Uint8Array): StoredNode {
    return storedNode(hash);
  }

  node({ hash }: StoredNode): Node {
    const rlp = this.#nodes.get(keyOf(hash));
    if (rlp === undefined) throw new Error(`no trie node ${keyOf(hash)}`);
    return decodeNode(rlp, hash);
  }

  code(hash: Uint8Array): Uint8Array {
    const code = this.#codes.get(keyOf(hash));
    if (code === undefined) throw new Error(`no code ${keyOf(hash)}`);
    return code;
  }

  write(diff: Written): StateReader {
    for (const { hash, rlp } of diff.nodes) this.#nodes.set(keyOf(hash), rlp);
    for (const { hash, code } of diff.codes) this.#codes.set(keyOf(hash), code);
    return new StateReader(this, diff.root);
  }
}

/** Returns the state of an alloc. */
export function stateOf(alloc: Alloc): { source: MemoryState; reader: StateReader } {
  const source = new MemoryState();
  return { source, reader: source.write(genesisState(alloc)) };
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
