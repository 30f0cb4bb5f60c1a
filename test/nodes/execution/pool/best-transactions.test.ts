import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestTransactions } from '../../../../src/nodes/execution/pool/best-transactions.ts';
import { Heap } from '../../../../src/nodes/execution/pool/heap.ts';
import { GWEI, poolOf, transfer } from '../support/pool.ts';

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
