import { expect, test } from 'vitest';
import { traceDifferences } from '../support/trace-differences.ts';

/** `make soak-traces` runs more of them. */
test('every tracer shows generated transactions as anvil does', async () => {
  const { compared, differences } = await traceDifferences(1, 16, { vmTrace: true });
  expect(differences.slice(0, 3)).toEqual([]);
  expect(compared).toBe(16 * 8);
});
