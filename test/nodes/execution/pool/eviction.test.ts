import { describe, expect, test } from 'vitest';
import { EvictionQueue, effectiveTip } from '../../../../src/nodes/execution/pool/eviction.ts';
import { TransactionLookup } from '../../../../src/nodes/execution/pool/lookup.ts';
import { entryOf, headOf } from '../support/pool.ts';

const HEAD = headOf();

describe('the queue of evictions', () => {
  /** A pool of transactions by sender, and their queue by cost. `factor` -1 turns the order around. */
  function opened(...costs: bigint[]) {
    const lookup = new TransactionLookup(
      () => 'pending',
      16,
      () => 0,
    );
    const order = { factor: 1n };
    const queue = new EvictionQueue(lookup, (one, other) => order.factor * one.cost < order.factor * other.cost);
    const insert = (cost: bigint) => {
      const entry = entryOf(lookup.size, 0, { cost });
      lookup.insert(entry, HEAD);
      return entry;
    };
    return { lookup, queue, order, insert, entries: costs.map(insert) };
  }

  test('has the transactions of the pool in order', () => {
    const { queue } = opened(3n, 1n, 2n);
    expect(queue.first?.cost).toBe(1n);
    expect([1, 2, 3, 4].map(() => queue.takeFirst()?.cost)).toEqual([1n, 2n, 3n, undefined]);
  });

  test('skips transactions that have left the pool', () => {
    const { queue, lookup, entries } = opened(3n, 1n, 2n);
    expect(queue.first?.cost).toBe(1n);
    lookup.remove(entries[1]!);
    expect(queue.first?.cost).toBe(2n);
    lookup.remove(entries[2]!);
    lookup.remove(entries[0]!);
    expect(queue.first).toBeUndefined();
  });

  test('takes a transaction that enters after its first use', () => {
    const { queue, insert } = opened(3n, 2n);
    queue.add(insert(5n));
    expect(queue.first?.cost).toBe(2n);
    queue.add(insert(1n));
    expect([1, 2, 3, 4, 5].map(() => queue.takeFirst()?.cost)).toEqual([1n, 2n, 3n, 5n, undefined]);
  });

  test('has a transaction that enters before its first use once', () => {
    const { queue, insert } = opened(2n);
    queue.add(insert(1n));
    expect([1, 2, 3].map(() => queue.takeFirst()?.cost)).toEqual([1n, 2n, undefined]);
  });

  test('reads the pool again after it forgets, in the new order', () => {
    const { queue, order } = opened(3n, 1n, 2n);
    expect(queue.first?.cost).toBe(1n);
    order.factor = -1n;
    queue.forget();
    expect([1, 2, 3, 4].map(() => queue.takeFirst()?.cost)).toEqual([3n, 2n, 1n, undefined]);
  });

  test('stays complete when more have come and gone than it holds', () => {
    const { queue, lookup, insert } = opened(5n);
    expect(queue.first?.cost).toBe(5n);
    for (let round = 0; round < 1100; round++) {
      const entry = insert(9n);
      queue.add(entry);
      lookup.remove(entry);
    }
    queue.add(insert(1n));
    expect([1, 2, 3].map(() => queue.takeFirst()?.cost)).toEqual([1n, 5n, undefined]);
  });
});

test.each([
  [1n, 4n],
  [6n, 4n],
  [7n, 3n],
  [10n, 0n],
  [12n, -2n],
])('the tip at a base fee of %s, of at most 4 and a fee cap of 10, is %s', (baseFee, tip) => {
  expect(effectiveTip(entryOf(1, 0, { fields: { maxFeePerGas: 10n, maxPriorityFeePerGas: 4n } }), baseFee)).toBe(tip);
});
