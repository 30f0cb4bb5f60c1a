import { expect, test } from 'vitest';
import { TransactionLookup } from '../../../../src/nodes/execution/pool/lookup.ts';
import type { PoolEntry } from '../../../../src/nodes/execution/pool/pooled-transaction.ts';
import { entryOf, headOf, keyOf } from '../support/pool.ts';

const HEAD = headOf();
const lookupOf = () =>
  new TransactionLookup(
    () => 'pending',
    2,
    () => 0,
  );
const nonces = (entries: Iterable<PoolEntry>) => [...entries].map(({ transaction }) => Number(transaction.nonce));

test('the lookup names each promoted transaction once, in order of nonce', () => {
  const lookup = lookupOf();
  expect(lookup.takePromoted()).toEqual([]);
  for (const nonce of [1, 2, 0]) lookup.insert(entryOf(1, nonce), HEAD);
  expect(nonces(lookup.takePromoted())).toEqual([0, 1, 2]);
  expect(lookup.takePromoted()).toEqual([]);
});

test('the lookup names no promoted transaction that has left', () => {
  const lookup = lookupOf();
  const entry = entryOf(1, 0);
  lookup.insert(entry, HEAD);
  lookup.remove(entry);
  expect(lookup.takePromoted()).toEqual([]);
});

test('the lookup holds an account while it has transactions', () => {
  const lookup = lookupOf();
  const [one, two] = [entryOf(1, 0, { slots: 3 }), entryOf(1, 1)];
  for (const entry of [one, two]) lookup.insert(entry, HEAD);
  expect([lookup.size, lookup.slots, [...lookup.accounts.keys()]]).toEqual([2, 4, [keyOf(1)]]);
  expect(lookup.usage.pending).toEqual({ count: 2, bytes: 220 });
  lookup.remove(one);
  expect(lookup.usage).toMatchObject({ pending: { count: 0, bytes: 0 }, queued: { count: 1, bytes: 110 } });
  expect([lookup.size, lookup.slots, lookup.accounts.size]).toEqual([1, 1, 1]);
  lookup.remove(two);
  expect([lookup.size, lookup.slots, lookup.accounts.size]).toEqual([0, 0, 0]);
  expect([lookup.get(one.transaction.hash), lookup.get(two.transaction.hash)]).toEqual([undefined, undefined]);
});

test('an account is an authority until the last transaction that delegates it has left', () => {
  const lookup = lookupOf();
  const authority = keyOf(7);
  const delegating = [1, 2, 3].map((from) => entryOf(from, 0, { authorities: [authority] }));
  for (const entry of delegating) {
    lookup.insert(entry, HEAD);
    expect(lookup.isAuthority(authority)).toBe(true);
  }
  const seen = delegating.map((entry) => {
    lookup.remove(entry);
    return lookup.isAuthority(authority);
  });
  expect(seen).toEqual([true, true, false]);
});

test('an account is crowded above its guaranteed pending transactions', () => {
  const lookup = lookupOf();
  const list = [0, 1, 2].map((nonce) => entryOf(1, nonce));
  const sizes = list.map((entry) => {
    lookup.insert(entry, HEAD);
    return lookup.crowded.size;
  });
  expect(sizes).toEqual([0, 0, 1]);
  lookup.remove(list[2]!);
  expect(lookup.crowded.size).toBe(0);
});
