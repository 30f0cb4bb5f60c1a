import { createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rlpEncode, rlpUint } from '../../../src/protocol/codec/rlp.ts';
import { orderedTrieRoot, secureTrieRoot, trieRoot } from '../../../src/protocol/codec/trie.ts';
import { EMPTY_TRIE_ROOT } from '../../../src/protocol/execution/constants.ts';
import { keccak256Bytes } from '../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';

const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
/** Keys of few distinct bytes share prefixes often. */
const key = fc
  .array(fc.constantFrom(0, 1, 16, 17), { minLength: 1, maxLength: 4 })
  .map((list) => Uint8Array.from(list));

test('the trie agrees with an independent trie on any entries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.oneof(key, bytes(1, 5)), bytes(1, 60)), { maxLength: 40 }),
      async (entries) => {
        const trie = await createMPT();
        for (const [k, v] of entries) await trie.put(k, v);
        expect(bytesToHex(trieRoot(entries))).toBe(bytesToHex(trie.root()));
      },
    ),
    { numRuns: 60 },
  );
});

test.each<[string, readonly (readonly [string, string])[]]>([
  ['one key', [['0102', 'aa']]],
  ['a value that stands for itself', [['0102', '05']]],
  ['the largest byte that stands for itself', [['0102', '7f']]],
  ['the smallest byte that does not', [['0102', '80']]],
  // The leaf of one of these values has 32 bytes: it is the first that its parent has by its hash.
  ...Array.from({ length: 8 }, (_, more): [string, (readonly [string, string])[]] => [
    `nodes about as long as a hash, with values of ${24 + more} bytes`,
    [
      ['10', 'ab'.repeat(24 + more)],
      ['20', 'cd'.repeat(24 + more)],
    ],
  ]),
  [
    'a key that is the start of another',
    [
      ['01', 'aa'],
      ['0102', 'bb'],
    ],
  ],
  [
    'a key without bytes',
    [
      ['', 'aa'],
      ['01', 'bb'],
    ],
  ],
  [
    'keys that share an even path',
    [
      ['0a1b2c', 'aa'],
      ['0a1b3d', 'bb'],
    ],
  ],
  [
    'keys that share an odd path',
    [
      ['0a1b2c', 'aa'],
      ['0a1b2d', 'bb'],
      ['0a', '7f'],
    ],
  ],
  ['keys of every branch', Array.from({ length: 16 }, (_, at) => [`${at.toString(16)}0`, `${at + 16}`] as const)],
  [
    'a value that is larger than the buffer of nodes',
    [
      ['01', 'ab'.repeat(9000)],
      ['02', 'cd'.repeat(5000)],
    ],
  ],
  [
    'nodes shorter than a hash',
    [
      ['0001', '01'],
      ['0002', '02'],
      ['0003', '03'],
      ['1000', '04'],
    ],
  ],
])('the trie of %s has the root of an independent trie, whatever the order', async (_, hex) => {
  const entries = hex.map(
    (pair) => pair.map((text) => Uint8Array.from(Buffer.from(text, 'hex'))) as [Uint8Array, Uint8Array],
  );
  const trie = await createMPT();
  for (const [k, v] of entries) await trie.put(k, v);
  const root = bytesToHex(trie.root());
  expect([bytesToHex(trieRoot(entries)), bytesToHex(trieRoot(entries.toReversed()))]).toEqual([root, root]);
});

test('the trie takes the last of several values of a key, and leaves out one without bytes', () => {
  const [key, other] = [Uint8Array.of(1), Uint8Array.of(2)];
  const root = (...entries: [Uint8Array, Uint8Array][]) => bytesToHex(trieRoot(entries));
  const one = root([key, Uint8Array.of(7)]);
  expect(root([key, Uint8Array.of(9)], [key, Uint8Array.of(7)])).toBe(one);
  expect(root([key, Uint8Array.of(7)], [other, new Uint8Array()])).toBe(one);
  expect(root([key, Uint8Array.of(7)], [other, Uint8Array.of(1)], [other, new Uint8Array()])).toBe(one);
});

test('the secure trie hashes its keys', () => {
  const entries = [[Uint8Array.of(1), Uint8Array.of(2)]] as const;
  expect(secureTrieRoot(entries)).toEqual(trieRoot([[keccak256Bytes(Uint8Array.of(1)), Uint8Array.of(2)]]));
});

test('the trie without entries or values is the empty trie', () => {
  expect(bytesToHex(trieRoot([]))).toBe(EMPTY_TRIE_ROOT);
  expect(bytesToHex(trieRoot([[Uint8Array.of(1), new Uint8Array(0)]]))).toBe(EMPTY_TRIE_ROOT);
});

test('the ordered trie keys items by RLP of their index', () => {
  const items = Array.from({ length: 300 }, (_, index) => Uint8Array.of(index & 255, index >> 8));
  const root = orderedTrieRoot(items);
  const keyed = items.map((item, at) => [rlpEncode(rlpUint(at)), item] as const);
  expect(root).toEqual(trieRoot(keyed.filter(([, item]) => item.length > 0)));
  expect(orderedTrieRoot([items[7]!, new Uint8Array(), items[9]!])).toEqual(
    trieRoot([
      [Uint8Array.of(0x80), items[7]!],
      [Uint8Array.of(2), items[9]!],
    ]),
  );
  expect(orderedTrieRoot([items[7]!])).toEqual(trieRoot([[Uint8Array.of(0x80), items[7]!]]));
});
