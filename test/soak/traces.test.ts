import { expect, test } from 'vitest';
import { traceDifferences } from '../nodes/execution/support/trace-differences.ts';

/** Number of transactions, and of those with one seed. Each seed has contracts of its own. */
const TOTAL = Number(process.env['TRACES'] ?? 1000);
const PER_SEED = 100;

test(`every tracer shows ${TOTAL} generated transactions as anvil does`, async () => {
  for (let seed = 1; seed <= TOTAL / PER_SEED; seed++) {
    const { differences } = await traceDifferences(seed, PER_SEED, { vmTrace: true });
    expect(differences.slice(0, 3), `seed ${seed}`).toEqual([]);
  }
});
