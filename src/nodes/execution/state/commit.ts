import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import type { Resumable } from '../../../protocol/resumable.ts';
import type { Emit } from '../trie/encode.ts';
import type { Node } from '../trie/node.ts';
import { EMPTY_ROOT, Trie } from '../trie/trie.ts';
import { encodeAccount, storageOf } from './account.ts';
import { type ByteKey, keyBytes } from './byte-key.ts';
import type { StateReader } from './reader.ts';
import { type StateChanges, storedBelow } from './state-journal.ts';

/** A new trie node. Nodes that it references precede it or are in the store. */
export interface NewNode {
  readonly hash: Uint8Array;
  readonly rlp: Uint8Array;
  readonly node: Node;
}

/** The nodes and code that the store needs for a new state, beside those of the state before it. */
export interface StateDiff {
  readonly root: Uint8Array;
  readonly nodes: readonly NewNode[];
  readonly codes: readonly { readonly hash: Uint8Array; readonly code: Uint8Array }[];
  /** Storage roots of the changed accounts, by address. */
  readonly storageRoots: ReadonlyMap<ByteKey, Uint8Array>;
}

/**
 * Order in which the writes of a block are applied. The root is the same.
 * Late removals collapse fewer branches and so read fewer nodes.
 */
export type WriteOrder = 'removals-last' | 'removals-first';

/** Writes the changes of a block to the tries and hashes them (geth: `StateDB.IntermediateRoot`). */
export function* commitState(
  reader: StateReader,
  changes: StateChanges,
  order: WriteOrder = 'removals-last',
): Resumable<StateDiff> {
  const nodes: NewNode[] = [];
  const emit: Emit = (hash, rlp, node) => void nodes.push({ hash, rlp, node });
  const storageRoots = new Map<ByteKey, Uint8Array>();
  const accounts: Write[] = [];
  for (const [addressKey, change] of changes.accounts) {
    const { account, storage, loaded, key } = change;
    if (account === undefined) {
      accounts.push([key, undefined]);
      storageRoots.set(addressKey, EMPTY_ROOT);
      continue;
    }
    const below = storedBelow(change);
    const slots: Write[] = [];
    for (const [slot, value] of storage) {
      const hash = loaded.get(slot)?.key ?? keccak256Bytes(keyBytes(slot));
      slots.push([hash, value.length === 0 ? undefined : rlpEncode(value)]);
      yield;
    }
    const words = yield* written(new Trie(reader.source, below && storageOf(below)), slots, order);
    const storageRoot = yield* words.commit(emit);
    storageRoots.set(addressKey, storageRoot);
    accounts.push([key, encodeAccount({ ...account, storageRoot }), words.top]);
  }
  const codes = [...changes.codes].map(([hash, code]) => ({ hash: keyBytes(hash), code }));
  const top = yield* written(new Trie(reader.source, reader.source.root(reader.root)), accounts, order);
  const root = yield* top.commit(emit);
  return { root, nodes, codes, storageRoots };
}

/** A write: a key, its value (undefined removes it), and the storage trie that the value references. */
type Write = readonly [key: Uint8Array, value: Uint8Array | undefined, below?: Node | number | undefined];

function* written(trie: Trie, writes: readonly Write[], order: WriteOrder): Resumable<Trie> {
  const removals = writes.filter(([, value]) => value === undefined);
  const puts = writes.filter(([, value]) => value !== undefined);
  for (const [key, value, below] of order === 'removals-first' ? [...removals, ...puts] : [...puts, ...removals]) {
    if (value === undefined) trie.delete(key);
    else trie.put(key, value, below);
    yield;
  }
  return trie;
}
