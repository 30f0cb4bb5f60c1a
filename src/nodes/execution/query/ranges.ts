import { asBytes, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import { accountIn, isEmptyCodeHash, storageOf } from '../state/account.ts';
import { commitState } from '../state/commit.ts';
import { StateReader, type StateSource } from '../state/reader.ts';
import type { StateJournal } from '../state/state-journal.ts';
import { storedNode } from '../trie/node.ts';
import { entriesOf } from '../trie/walk.ts';

/**
 * Returns slots of an account in order of their hashed keys (geth: `storageRangeAt`).
 * The preimages of the keys are unknown.
 */
export function storageRange(state: StateJournal, address: Uint8Array, from: Uint8Array, count: number) {
  const { reader, source } = committed(state);
  const account = reader.account(address);
  const storage: Record<Hex, { readonly key: null; readonly value: Hex }> = {};
  let size = 0;
  for (const [key, { value }] of account === undefined ? [] : entriesOf(source, storageOf(account), from)) {
    if (size++ === count) return { storage, nextKey: bytesToHex(key) };
    const word = asBytes(rlpDecode(value), 'storage word');
    storage[bytesToHex(key)] = { key: null, value: `0x${Buffer.from(word).toString('hex').padStart(64, '0')}` };
  }
  return { storage, nextKey: null };
}

/**
 * Returns accounts of a state in order of their hashed addresses (geth: `AccountRange`).
 * The preimages of the keys are unknown.
 */
export function accountRange(
  { source, root }: StateReader,
  from: Uint8Array,
  count: number,
  parts: { readonly code: boolean; readonly storage: boolean },
) {
  const accounts: Record<string, unknown> = {};
  let size = 0;
  for (const [key, leaf] of entriesOf(source, source.root(root), from)) {
    if (size++ === count)
      return { root: bytesToHex(root).slice(2), accounts, next: Buffer.from(key).toString('base64') };
    const account = accountIn(leaf);
    const { balance, nonce, storageRoot, codeHash } = account;
    const words = parts.storage ? [...entriesOf(source, storageOf(account))] : [];
    accounts[`pre(${bytesToHex(key)})`] = {
      balance: String(balance),
      nonce: Number(nonce),
      root: bytesToHex(storageRoot),
      codeHash: bytesToHex(codeHash),
      ...(parts.code && !isEmptyCodeHash(codeHash) ? { code: bytesToHex(source.code(codeHash)) } : {}),
      ...(parts.storage
        ? {
            storage: Object.fromEntries(
              words.map(([slot, { value }]) => [
                bytesToHex(slot),
                bytesToHex(asBytes(rlpDecode(value), 'storage word')).slice(2),
              ]),
            ),
          }
        : {}),
      key: bytesToHex(key),
    };
  }
  return { root: bytesToHex(root).slice(2), accounts };
}

/** Commits the writes of a state to tries in memory. New code is left out: a range of slots reads none. */
function committed(state: StateJournal): { readonly reader: StateReader; readonly source: StateSource } {
  const { root, nodes } = runToCompletion(commitState(state.reader, state.changes()));
  const below = state.reader.source;
  const newNodes = new Map(nodes.map(({ hash, node }) => [bytesToHex(hash), node]));
  const source: StateSource = {
    node: (stored) => newNodes.get(bytesToHex(stored.hash)) ?? below.node(stored),
    code: (hash) => below.code(hash),
    root: (hash) => (newNodes.has(bytesToHex(hash)) ? storedNode(hash) : below.root(hash)),
  };
  return { reader: new StateReader(source, root), source };
}
