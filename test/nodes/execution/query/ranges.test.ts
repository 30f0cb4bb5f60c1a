import { describe, expect, it } from 'vitest';
import { accountRange, storageRange } from '../../../../src/nodes/execution/query/ranges.ts';
import { StateJournal } from '../../../../src/nodes/execution/state/state-journal.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { secureTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { EMPTY_TRIE_ROOT } from '../../../../src/protocol/execution/constants.ts';
import { keccak256, keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { stateOf } from '../support/memory-state.ts';
import { addressOf } from '../views/sample-block.ts';

const CODE: Hex = '0x600160005500';
const EMPTY_CODE_HASH = keccak256('0x');
const word = (value: number) => bytesToHex(u256be(value));
const CONTRACT = addressOf(1);
const RICH = addressOf(2);
const EMPTY = addressOf(3);
const WORDS = { 1: 0x11, 2: 0x2222, 3: 7 };
const STORAGE = Object.fromEntries(Object.entries(WORDS).map(([slot, value]) => [word(Number(slot)), word(value)]));
const { reader } = stateOf({
  [CONTRACT]: { nonce: '0x5', balance: '0x9', code: CODE, storage: STORAGE },
  [RICH]: { balance: `0x${(2n ** 70n).toString(16)}` },
  [EMPTY]: { nonce: '0x1' },
});
const START = new Uint8Array(32);
/** Slots by their hashed keys, in order. */
const slots = (words: Readonly<Record<string, number>>) =>
  Object.entries(words)
    .map(([slot, value]) => [bytesToHex(keccak256Bytes(u256be(Number(slot)))), word(value)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
const shown = (list: ReturnType<typeof slots>) =>
  Object.fromEntries(list.map(([key, value]) => [key, { key: null, value }]));

describe('a range of slots', () => {
  const all = slots(WORDS);
  const range = (from: Uint8Array, count: number, journal = new StateJournal(reader), address: Hex = CONTRACT) =>
    storageRange(journal, hexToBytes(address), from, count);

  it.each([1, 2, 3])('of %i names the next key, if there is one', (count) => {
    expect(range(START, count)).toEqual({ storage: shown(all.slice(0, count)), nextKey: all[count]?.[0] ?? null });
  });

  it('begins at a key, and names the first one when it may have none', () => {
    expect(range(hexToBytes(all[1]![0]), 9)).toEqual({ storage: shown(all.slice(1)), nextKey: null });
    expect(range(START, 0)).toEqual({ storage: {}, nextKey: all[0]![0] });
  });

  it('is empty for an account without storage, and for none', () => {
    for (const address of [RICH, addressOf(9)])
      expect(range(START, 9, undefined, address)).toEqual({ storage: {}, nextKey: null });
  });

  it('has the writes of the state that are not stored', () => {
    const journal = new StateJournal(reader);
    journal.setWord(hexToBytes(CONTRACT), u256be(2), u256be(0x33));
    journal.setWord(hexToBytes(CONTRACT), u256be(3), new Uint8Array());
    journal.setWord(hexToBytes(CONTRACT), u256be(4), u256be(0x44));
    journal.setCode(hexToBytes(RICH), hexToBytes(CODE));
    expect(range(START, 9, journal)).toEqual({ storage: shown(slots({ 1: 0x11, 2: 0x33, 4: 0x44 })), nextKey: null });
  });
});

describe('a range of accounts', () => {
  const all = [CONTRACT, RICH, EMPTY]
    .map((address) => ({ address, key: bytesToHex(keccak256Bytes(hexToBytes(address))) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1));
  const storageRoot = bytesToHex(
    secureTrieRoot(
      Object.entries(WORDS).map(
        ([slot, value]) => [u256be(Number(slot)), rlpEncode(hexToBytes(minimal(value)))] as const,
      ),
    ),
  );
  const fields: Record<Hex, object> = {
    [CONTRACT]: { balance: '9', nonce: 5, root: storageRoot, codeHash: keccak256(CODE) },
    [RICH]: { balance: String(2n ** 70n), nonce: 0, root: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH },
    [EMPTY]: { balance: '0', nonce: 1, root: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH },
  };
  const root = bytesToHex(reader.root).slice(2);
  const accounts = (list: typeof all, more: (address: Hex) => object = () => ({})) =>
    Object.fromEntries(list.map(({ address, key }) => [`pre(${key})`, { ...fields[address], ...more(address), key }]));
  const NOTHING = { code: false, storage: false };

  it.each([1, 2, 3])('of %i names the next key as base64, if there is one', (count) => {
    const next = all[count];
    expect(accountRange(reader, START, count, NOTHING)).toEqual({
      ...{ root, accounts: accounts(all.slice(0, count)) },
      ...(next && { next: Buffer.from(next.key.slice(2), 'hex').toString('base64') }),
    });
  });

  it('begins at a key', () => {
    expect(accountRange(reader, hexToBytes(all[1]!.key), 9, NOTHING)).toEqual({
      root,
      accounts: accounts(all.slice(1)),
    });
  });

  it('has the code of contracts on request', () => {
    const expected = accounts(all, (address) => (address === CONTRACT ? { code: CODE } : {}));
    expect(accountRange(reader, START, 9, { code: true, storage: false })).toStrictEqual({ root, accounts: expected });
  });

  it('has the storage of accounts on request, without leading zeros', () => {
    const storage = Object.fromEntries(slots(WORDS).map(([key, value]) => [key, minimal(Number(value)).slice(2)]));
    const expected = accounts(all, (address) => ({ storage: address === CONTRACT ? storage : {} }));
    expect(accountRange(reader, START, 9, { code: false, storage: true })).toStrictEqual({ root, accounts: expected });
  });
});

/** The shortest bytes of an integer, hex. */
function minimal(value: number): Hex {
  const digits = value.toString(16);
  return `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`;
}
