import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { createAccount } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { EMPTY_ACCOUNT } from '../../../../src/nodes/execution/state/account.ts';
import { byteKey } from '../../../../src/nodes/execution/state/byte-key.ts';
import { commitState, type WriteOrder } from '../../../../src/nodes/execution/state/commit.ts';
import { StateReader, type StateSource } from '../../../../src/nodes/execution/state/reader.ts';
import { StateJournal, storedBelow } from '../../../../src/nodes/execution/state/state-journal.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import { stateOf } from '../support/memory-state.ts';

const CONTRACT = uintBe(0xaa, 20);
const EMPTIED = uintBe(0xbb, 20);
const WALLET = uintBe(0xcc, 20);
const NEW = uintBe(0xdd, 20);
const slotsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [bytesToHex(u256be(at)), bytesToHex(u256be(at + 1))]));
const ALLOC = {
  [bytesToHex(CONTRACT)]: { nonce: '1', code: '0x6001', storage: slotsOf(40) },
  [bytesToHex(EMPTIED)]: { nonce: '1', storage: slotsOf(2) },
  [bytesToHex(WALLET)]: { balance: '7' },
};

/** The root of a trie of another library. Values that are undefined are left out. */
async function rootOf(entries: readonly (readonly [Uint8Array, Uint8Array | undefined])[]): Promise<Uint8Array> {
  const trie = await createMPT({ useKeyHashing: true });
  for (const [key, value] of entries) if (value !== undefined) await trie.put(key, value);
  return trie.root();
}

const committed = (journal: StateJournal, order?: WriteOrder) =>
  runToCompletion(commitState(journal.reader, journal.changes(), order));

/** Changes words, removes all words of an account, removes an account, and creates one with code. */
function changed(reader: StateReader): StateJournal {
  const journal = new StateJournal(reader);
  for (let at = 0; at < 20; at++) journal.setWord(CONTRACT, u256be(at), new Uint8Array(0));
  for (let at = 50; at < 60; at++) journal.setWord(CONTRACT, u256be(at), u256be(2n ** 200n + BigInt(at)));
  journal.setWord(EMPTIED, u256be(0), u256be(0));
  journal.setWord(EMPTIED, u256be(1), u256be(0));
  journal.setAccount(WALLET, undefined);
  journal.addBalance(NEW, 5n);
  journal.setCode(NEW, hexToBytes('0x600260'));
  return journal;
}

describe('a commit', () => {
  it.each(['removals-last', 'removals-first', undefined] as const)(
    'computes the roots of another library when the order is %s',
    async (order) => {
      const { reader } = stateOf(ALLOC);
      const diff = committed(changed(reader), order);
      const words = [
        ...Array.from({ length: 20 }, (_, at) => [u256be(at + 20), RLP.encode(at + 21)] as const),
        ...Array.from({ length: 10 }, (_, at) => [u256be(at + 50), RLP.encode(2n ** 200n + BigInt(at + 50))] as const),
      ];
      const storageRoot = await rootOf(words);
      expect(diff.storageRoots).toEqual(
        new Map([
          [byteKey(CONTRACT), storageRoot],
          [byteKey(EMPTIED), EMPTY_ROOT],
          [byteKey(WALLET), EMPTY_ROOT],
          [byteKey(NEW), EMPTY_ROOT],
        ]),
      );
      const codeHash = keccak256Bytes(hexToBytes('0x600260'));
      const root = await rootOf([
        [CONTRACT, createAccount({ ...reader.account(CONTRACT)!, storageRoot }).serialize()],
        [EMPTIED, createAccount({ nonce: 1n, balance: 0n }).serialize()],
        [NEW, createAccount({ nonce: 0n, balance: 5n, codeHash }).serialize()],
      ]);
      expect(bytesToHex(diff.root)).toBe(bytesToHex(root));
      expect(diff.codes).toEqual([{ hash: Buffer.from(codeHash), code: hexToBytes('0x600260') }]);
    },
  );

  it('emits each node after those that it references, with hash and RLP', () => {
    const { reader } = stateOf(ALLOC);
    const { nodes, root } = committed(changed(reader));
    expect(nodes.length).toBeGreaterThan(5);
    for (const { hash, rlp } of nodes) expect(bytesToHex(hash)).toBe(bytesToHex(keccak256Bytes(rlp)));
    expect(nodes.at(-1)?.hash).toEqual(root);
  });

  it('writes a state that can be read back', () => {
    const { source, reader } = stateOf(ALLOC);
    const after = source.write(committed(changed(reader)));
    expect(after.account(WALLET)).toBeUndefined();
    expect(bytesToHex(after.code(after.account(NEW)))).toBe('0x600260');
    expect(after.storage(after.account(CONTRACT), u256be(3))).toHaveLength(0);
    expect(bytesToHex(after.storage(after.account(CONTRACT), u256be(30)))).toBe('0x1f');
  });

  it('keeps the root and emits nothing when nothing changed', () => {
    const { reader } = stateOf(ALLOC);
    const diff = committed(new StateJournal(reader));
    expect(bytesToHex(diff.root)).toBe(bytesToHex(reader.root));
    expect([diff.nodes, diff.codes, diff.storageRoots.size]).toEqual([[], [], 0]);
  });

  it('reads fewer nodes when removals come last', () => {
    const readsOf = (order: WriteOrder) => {
      const { source, reader } = stateOf(ALLOC);
      let reads = 0;
      const counting: StateSource = {
        root: (hash) => source.root(hash),
        code: (hash) => source.code(hash),
        node: (stored) => {
          reads++;
          return source.node(stored);
        },
      };
      const journal = new StateJournal(new StateReader(counting, reader.root));
      for (let at = 0; at < 40; at++) journal.setWord(CONTRACT, u256be(at), u256be(0));
      for (let at = 100; at < 140; at++) journal.setWord(CONTRACT, u256be(at), u256be(1));
      reads = 0;
      committed(journal, order);
      return reads;
    };
    expect(readsOf('removals-last')).toBeLessThan(readsOf('removals-first'));
  });

  it('starts from an empty trie when the account was created again', () => {
    const { source, reader } = stateOf(ALLOC);
    const journal = new StateJournal(reader);
    journal.clearWords(CONTRACT);
    journal.setWord(CONTRACT, u256be(90), u256be(1));
    const after = source.write(committed(journal));
    expect(after.storage(after.account(CONTRACT), u256be(30))).toHaveLength(0);
    expect(bytesToHex(after.storage(after.account(CONTRACT), u256be(90)))).toBe('0x01');
  });
});

describe('storedBelow', () => {
  const root = new Uint8Array(32).fill(1);
  const account = { ...EMPTY_ACCOUNT, storageRoot: root };
  const below = { ...account, storageRootId: 4 };

  it('returns the account of the store when its storage root is the same', () => {
    expect(storedBelow({ account, below, cleared: false })).toBe(below);
    const equal = { ...account, storageRoot: Uint8Array.from(root) };
    expect(storedBelow({ account: equal, below, cleared: false })).toBe(below);
  });

  it('returns the account itself when its storage root is another', () => {
    const other = { ...account, storageRoot: new Uint8Array(32).fill(2) };
    expect(storedBelow({ account: other, below, cleared: false })).toBe(other);
  });

  it('returns nothing when the storage was cleared, or an account is absent', () => {
    expect(storedBelow({ account, below, cleared: true })).toBeUndefined();
    expect(storedBelow({ account: undefined, below, cleared: false })).toBeUndefined();
    expect(storedBelow({ account, below: undefined, cleared: false })).toBeUndefined();
  });
});
