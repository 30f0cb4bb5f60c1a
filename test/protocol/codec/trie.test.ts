import { createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  expect(root).not.toEqual(orderedTrieRoot(items.toReversed()));
  expect(orderedTrieRoot([items[7]!])).toEqual(trieRoot([[Uint8Array.of(0x80), items[7]!]]));
});
