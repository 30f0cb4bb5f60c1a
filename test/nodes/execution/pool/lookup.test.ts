import { expect, test } from 'vitest';
import { TransactionLookup } from '../../../../src/nodes/execution/pool/lookup.ts';
import type { PoolEntry } from '../../../../src/nodes/execution/pool/pooled-transaction.ts';
import { entryOf, headOf, keyOf } from '../support/pool.ts';

const HEAD = headOf();
let now = 0;
/** A lookup that parks transactions with a cost of 7 until the base fee falls. */
const lookupOf = () =>
  new TransactionLookup(
    ({ cost }) => (cost === 7n ? 'basefee' : 'pending'),
    2,
    () => now,
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

test('the lookup names no transaction again that stays pending behind a replacement', () => {
  const lookup = lookupOf();
  for (const nonce of [0, 1, 2]) lookup.insert(entryOf(1, nonce), HEAD);
  lookup.takePromoted();
  const next = entryOf(1, 0);
  lookup.insert(next, HEAD);
  expect(lookup.takePromoted()).toEqual([next]);
});

test('the lookup forgets a transaction that is replaced', () => {
  const lookup = lookupOf();
  const [old, next] = [entryOf(1, 0, { slots: 3 }), entryOf(1, 0, { slots: 2 })];
  for (const entry of [old, next]) lookup.insert(entry, HEAD);
  expect([lookup.size, lookup.slots, lookup.get(old.transaction.hash), old.subPool]).toEqual([
    1,
    2,
    undefined,
    undefined,
  ]);
  expect(lookup.usage.pending).toEqual({ count: 1, bytes: 110 });
  expect([...lookup.all()]).toEqual([next]);
});

test('the lookup counts each sub-pool from zero', () => {
  const lookup = lookupOf();
  for (const entry of [entryOf(1, 0, { cost: 7n }), entryOf(2, 5), entryOf(3, 0)]) lookup.insert(entry, HEAD);
  const one = { count: 1, bytes: 110 };
  expect(lookup.usage).toEqual({ pending: one, basefee: one, queued: one });
});

test('the lookup moves an account to a new head: nonces that passed leave, and costs are those of the head', () => {
  const lookup = lookupOf();
  const list = [0, 1, 2, 4].map((nonce) => entryOf(1, nonce));
  for (const entry of list) lookup.insert(entry, HEAD);
  lookup.moveAccount(lookup.accounts.get(keyOf(1))!, headOf({ 1: { nonce: 1 } }), ({ transaction }) =>
    transaction.nonce === 2n ? 7n : 5n,
  );
  expect([lookup.get(list[0]!.transaction.hash), list[0]!.subPool]).toEqual([undefined, undefined]);
  expect(list.slice(1).map(({ cost, subPool }) => [cost, subPool])).toEqual([
    [5n, 'pending'],
    [7n, 'basefee'],
    [5n, 'queued'],
  ]);
  lookup.moveAccount(lookup.accounts.get(keyOf(1))!, headOf({ 1: { nonce: 9 } }), () => 1n);
  expect([lookup.size, lookup.accounts.size, lookup.usage.queued.count]).toEqual([0, 0, 0]);
});

test('an account has the time since which it has queued transactions', () => {
  const lookup = lookupOf();
  now = 5;
  const [first, gapped] = [entryOf(1, 0), entryOf(1, 2)];
  lookup.insert(first, HEAD);
  const queue = lookup.accounts.get(keyOf(1))!;
  expect(queue.beat).toBeUndefined();
  lookup.insert(gapped, HEAD);
  now = 8;
  lookup.insert(entryOf(1, 3), HEAD);
  expect(queue.beat).toBe(5);
  lookup.insert(entryOf(1, 1), HEAD);
  expect(queue.beat).toBeUndefined();
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
