import { beforeEach, describe, expect, test } from 'vitest';
import { AccountQueue } from '../../../../src/nodes/execution/pool/account-queue.ts';
import type { PoolEntry, SubPool } from '../../../../src/nodes/execution/pool/pooled-transaction.ts';
import { entryOf, keyOf, sender } from '../support/pool.ts';

/** Nonce of the account. */
const BASE = 10;
const BALANCE = 1000n;

let queue: AccountQueue;
let entries: Map<number, PoolEntry>;
const assign = (entry: PoolEntry, subPool: SubPool) => {
  entry.subPool = subPool;
};
/** Parks transactions with a cost of 7 or 8, as those that wait for a lower base fee. */
const select = (entry: PoolEntry, overdrawn: boolean): SubPool =>
  overdrawn ? 'queued' : entry.cost === 7n || entry.cost === 8n ? 'basefee' : 'pending';
const settle = () => queue.settle(select, assign);

/** Adds a transaction. Returns the nonce of the one that it replaces. */
function put(nonce: number, cost = 1n): number | undefined {
  const entry = entryOf(1, nonce, { cost });
  const replaced = queue.put(entry, assign);
  entries.set(nonce, entry);
  settle();
  return replaced && Number(replaced.transaction.nonce);
}
function remove(nonce: number): void {
  queue.remove(entries.get(nonce)!, assign);
  settle();
}
const nonces = (list: readonly PoolEntry[]) => list.map(({ transaction }) => Number(transaction.nonce));
const content = () => ({ pending: nonces(queue.pending()), queued: nonces(queue.queued()) });
const last = (subPool: 'basefee' | 'queued') => {
  const entry = queue.lastParked(subPool);
  return entry && Number(entry.transaction.nonce);
};

beforeEach(() => {
  queue = new AccountQueue(keyOf(1), sender(1), BigInt(BASE), BALANCE);
  entries = new Map();
});

describe('the transactions of an account', () => {
  test('are found by nonce, in the run and behind the gap', () => {
    for (const nonce of [10, 11, 14]) put(nonce);
    for (const nonce of [10, 11, 14]) expect(queue.find(BigInt(nonce))).toBe(entries.get(nonce));
    for (const nonce of [0, 9, 12, 13, 15]) expect(queue.find(BigInt(nonce))).toBeUndefined();
  });

  test('are counted by sub-pool, and queued in order of nonce', () => {
    for (const nonce of [10, 11, 15, 13, 14, 17]) put(nonce);
    expect([queue.size, queue.pendingCount, queue.queuedCount]).toEqual([6, 2, 4]);
    expect(content()).toEqual({ pending: [10, 11], queued: [13, 14, 15, 17] });
    expect(queue.lastPending).toBe(entries.get(11));
    remove(10);
    expect(queue.lastPending).toBeUndefined();
  });

  test('are queued behind a removed one', () => {
    for (const nonce of [10, 11, 12, 13]) put(nonce);
    remove(12);
    expect(content()).toEqual({ pending: [10, 11], queued: [13] });
    expect(queue.nextNonce).toBe(12n);
    remove(13);
    expect(content()).toEqual({ pending: [10, 11], queued: [] });
  });

  test('replace one of the same nonce, in the run and behind the gap', () => {
    for (const nonce of [10, 11, 14]) expect(put(nonce)).toBeUndefined();
    for (const nonce of [10, 11, 14]) expect(put(nonce)).toBe(nonce);
    expect(content()).toEqual({ pending: [10, 11], queued: [14] });
  });

  test('have a pending cost that follows replacements and removals', () => {
    const costs: bigint[] = [];
    const step = (action: () => void) => {
      action();
      costs.push(queue.pendingCost);
    };
    step(() => put(10, 100n));
    step(() => put(11, 200n));
    step(() => put(12, 300n));
    step(() => put(11, 250n));
    step(() => remove(12));
    step(() => put(10, 50n));
    step(() => remove(10));
    expect(costs).toEqual([100n, 300n, 600n, 650n, 350n, 300n, 0n]);
  });

  test('are pending up to the balance', () => {
    put(10, 400n);
    put(11, 600n);
    expect(content()).toEqual({ pending: [10, 11], queued: [] });
    put(12, 1n);
    expect(content()).toEqual({ pending: [10, 11], queued: [12] });
  });
});

describe('a move to another state', () => {
  test('returns the transactions whose nonces have passed, from both sides of the gap', () => {
    for (const nonce of [10, 11, 12, 14, 16, 18]) put(nonce);
    expect(nonces(queue.move(11n, BALANCE, assign))).toEqual([10]);
    settle();
    expect(content()).toEqual({ pending: [11, 12], queued: [14, 16, 18] });
    expect(nonces(queue.move(16n, BALANCE, assign))).toEqual([11, 12, 14]);
    settle();
    expect(content()).toEqual({ pending: [16], queued: [18] });
    expect(queue.size).toBe(2);
  });

  test('assigns no other sub-pool when the nonce stays', () => {
    for (const nonce of [10, 11, 14]) put(nonce);
    const assigned: SubPool[] = [];
    expect(queue.move(10n, BALANCE, (_, subPool) => assigned.push(subPool))).toEqual([]);
    expect(assigned).toEqual([]);
    settle();
    expect(content()).toEqual({ pending: [10, 11], queued: [14] });
  });

  test('to a lower nonce queues all behind the gap', () => {
    for (const nonce of [10, 11]) put(nonce);
    expect(queue.move(9n, BALANCE, assign)).toEqual([]);
    settle();
    expect(content()).toEqual({ pending: [], queued: [10, 11] });
    expect(queue.pendingCost).toBe(0n);
  });

  test('to another balance decides again which can run, at new costs', () => {
    for (const nonce of [10, 11]) put(nonce, 100n);
    queue.move(10n, 150n, assign);
    for (const entry of queue.entries()) entry.cost = 120n;
    settle();
    expect(content()).toEqual({ pending: [10], queued: [11] });
    expect(queue.pendingCost).toBe(120n);
  });
});

describe('the last parked transaction', () => {
  test('is none when the account has none', () => {
    expect([last('basefee'), last('queued')]).toEqual([undefined, undefined]);
    for (const nonce of [10, 11]) put(nonce);
    expect([last('basefee'), last('queued')]).toEqual([undefined, undefined]);
  });

  test('of basefee is the one that the base fee excludes, also beside a gap', () => {
    put(10);
    put(11, 7n);
    expect([last('basefee'), last('queued')]).toEqual([11, undefined]);
    put(12);
    put(13);
    expect([last('basefee'), last('queued')]).toEqual([11, 13]);
    put(15);
    expect([last('basefee'), last('queued')]).toEqual([11, 15]);
  });

  test('of queued is the last of the run when nothing is behind a gap', () => {
    put(10);
    for (const nonce of [11, 12, 13]) put(nonce, 2000n);
    expect([last('basefee'), last('queued')]).toEqual([undefined, 13]);
  });

  test('of queued is the highest behind the gap after many have come and gone', () => {
    for (const nonce of [14, 13, 16, 15]) put(nonce);
    for (let round = 0; round < 100; round++) {
      put(20 + round);
      remove(20 + round);
    }
    expect(last('queued')).toBe(16);
    remove(16);
    expect(last('queued')).toBe(15);
    remove(13);
    expect(last('queued')).toBe(15);
  });
});
