import { createMerkleProof, createMPT, verifyMerkleProof } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Node, type StoredNode, storedNode } from '../../../../src/nodes/execution/trie/node.ts';
import { decodeNode } from '../../../../src/nodes/execution/trie/stored.ts';
import { EMPTY_ROOT, Trie } from '../../../../src/nodes/execution/trie/trie.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';

class MemoryNodes {
  readonly rlp = new Map<string, Uint8Array>();
  readonly emit = (hash: Uint8Array, rlp: Uint8Array) => void this.rlp.set(bytesToHex(hash), rlp);

  node({ hash }: StoredNode): Node {
    return decodeNode(this.rlp.get(bytesToHex(hash))!, hash);
  }
}

/** Keys of few distinct bytes share long prefixes. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11), { minLength: 3, maxLength: 3 })
  .map((bytes) => Uint8Array.from(bytes));
const step = fc.oneof(
  fc.record({ key, value: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  fc.record({ key, value: fc.constant(null) }),
  fc.constant('commit' as const),
);

test('the trie has the root of the reference trie after any puts, deletes and commits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const store = new MemoryNodes();
      const reference = await createMPT();
      const values = new Map<string, Uint8Array>();
      let trie = new Trie(store);
      for (const one of steps) {
        if (one === 'commit') {
          trie = new Trie(store, storedNode(runToCompletion(trie.commit(store.emit))));
        } else if (one.value === null) {
          trie.delete(one.key);
          await reference.del(one.key);
          values.delete(bytesToHex(one.key));
        } else {
          trie.put(one.key, one.value);
          await reference.put(one.key, one.value);
          values.set(bytesToHex(one.key), one.value);
        }
      }
      expect(bytesToHex(runToCompletion(trie.commit(store.emit)))).toBe(bytesToHex(reference.root()));
      for (const one of steps) if (one !== 'commit') expect(trie.get(one.key)).toEqual(values.get(bytesToHex(one.key)));
    }),
    { numRuns: 150 },
  );
});

test('the trie is empty again when everything is deleted', () => {
  const store = new MemoryNodes();
  const trie = new Trie(store);
  const keys = Array.from({ length: 50 }, (_, at) => keccak256Bytes(Uint8Array.of(at)));
  for (const one of keys) trie.put(one, one);
  const reopened = new Trie(store, storedNode(runToCompletion(trie.commit(store.emit))));
  for (const one of keys) reopened.delete(one);
  expect(runToCompletion(reopened.commit(store.emit))).toEqual(EMPTY_ROOT);
});

test('the trie proves present and absent keys', async () => {
  const store = new MemoryNodes();
  const trie = new Trie(store);
  const reference = await createMPT();
  for (let at = 0; at < 40; at++) {
    const one = keccak256Bytes(Uint8Array.of(at));
    trie.put(one, Uint8Array.of(at + 1));
    await reference.put(one, Uint8Array.of(at + 1));
  }
  const root = runToCompletion(trie.commit(store.emit));
  for (const at of [0, 7, 39, 200]) {
    const one = keccak256Bytes(Uint8Array.of(at));
    expect(trie.prove(one).map(bytesToHex)).toEqual((await createMerkleProof(reference, one)).map(bytesToHex));
    const proven = await verifyMerkleProof(one, new Trie(store, storedNode(root)).prove(one));
    expect(proven).toEqual(at < 40 ? Uint8Array.of(at + 1) : null);
  }
});
