import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestTransactions } from '../../../../src/nodes/execution/pool/best-transactions.ts';
import { Heap } from '../../../../src/nodes/execution/pool/heap.ts';
import { entryOf, GWEI, poolOf, transfer } from '../support/pool.ts';

/** Returns senders and nonces in block order. */
function order(pool: ReturnType<typeof poolOf>['pool'], baseFee: bigint): string[] {
  const tips = new BestTransactions(pool.pending(), baseFee);
  const order: string[] = [];
  for (let next = tips.peek(); next !== undefined; next = tips.peek()) {
    order.push(`${next.sender[19]}:${next.nonce}`);
    tips.take();
  }
  return order;
}

test('the order of transactions is by tip, then by arrival, and by nonce for each sender', () => {
  const { pool } = poolOf('go');
  const tip = (gwei: bigint) => ({ maxPriorityFeePerGas: gwei * GWEI, maxFeePerGas: 100n * GWEI });
  pool.add(transfer(1, 0, tip(1n)));
  pool.add(transfer(2, 0, tip(2n)));
  pool.add(transfer(3, 0, tip(2n)));
  pool.add(transfer(1, 1, tip(9n)));
  expect(order(pool, GWEI)).toEqual(['2:0', '3:0', '1:0', '1:1']);
});

test('the base fee reduces a tip above the fee cap, and excludes transactions below it', () => {
  const { pool } = poolOf('go');
  pool.add(transfer(1, 0, { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 9n * GWEI }));
  pool.add(transfer(1, 1, { maxFeePerGas: 90n * GWEI, maxPriorityFeePerGas: 90n * GWEI }));
  pool.add(transfer(2, 0, { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 3n * GWEI }));
  expect(order(pool, GWEI)).toEqual(['1:0', '1:1', '2:0']);
  expect(order(pool, 8n * GWEI)).toEqual(['2:0', '1:0', '1:1']);
  expect(order(pool, 11n * GWEI)).toEqual(['2:0']);
});

/** Returns senders in block order of one transaction each: sender, tip and arrival. */
function sendersOf(rows: readonly (readonly [from: number, tip: bigint, arrival: number])[], by?: 'sender') {
  const accounts = rows.map(([from, maxPriorityFeePerGas, arrival]) => [
    entryOf(from, 0, { arrival, fields: { maxPriorityFeePerGas } }),
  ]);
  const best = new BestTransactions(accounts, GWEI, by);
  const senders: number[] = [];
  for (let next = best.peek(); next !== undefined; next = best.peek()) {
    senders.push(next.sender[19]!);
    best.take();
  }
  return senders;
}

test('the order of equal tips is that of arrival, whatever order the accounts have', () => {
  const rows = [
    [1, 3n, 7],
    [2, 3n, 2],
    [3, 3n, 5],
    [4, 9n, 9],
  ] as const;
  expect(sendersOf(rows)).toEqual([4, 2, 3, 1]);
  expect(sendersOf(rows.toReversed())).toEqual([4, 2, 3, 1]);
});

test('the order by sender depends neither on tips nor on arrival', () => {
  const rows = [
    [3, 9n, 1],
    [1, 3n, 7],
    [2, 3n, 2],
  ] as const;
  expect(sendersOf(rows, 'sender')).toEqual([1, 2, 3]);
  expect(sendersOf(rows.toReversed(), 'sender')).toEqual([1, 2, 3]);
});

test('a sender that is skipped has no other transaction in the block', () => {
  const best = new BestTransactions([[entryOf(1, 0), entryOf(1, 1)], [entryOf(2, 0)]], GWEI);
  expect(best.peek()?.sender[19]).toBe(1);
  best.skip();
  expect(best.peek()?.sender[19]).toBe(2);
  best.skip();
  expect(best.peek()).toBeUndefined();
  best.take();
  expect(best.peek()).toBeUndefined();
});

test('a transaction with a fee cap of the base fee is in the block, one below it is not', () => {
  const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n };
  const nextAt = (baseFee: bigint) => new BestTransactions([[entryOf(1, 0, { fields: fees })]], baseFee).peek()?.nonce;
  expect([nextAt(7n), nextAt(8n)]).toEqual([0n, undefined]);
});

test('a heap returns its items in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = new Heap<number>((one, other) => one < other);
      for (const number of numbers) heap.push(number);
      const sorted: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) sorted.push(next);
      expect(sorted).toEqual(numbers.toSorted((one, other) => one - other));
    }),
  );
});
