import { expect, test } from 'vitest';
import { fuzz } from '../support/fuzz/fuzz.ts';

// Four thousand requests take seconds, but minutes on a busy machine.
test('the Engine API answers two thousand mutated requests correctly, and the valid one after each', {
  timeout: 300_000,
}, async () => {
  const report = await fuzz(7, 2000);
  expect(report.problems).toEqual([]);
  expect(report.cases).toBe(2000);
  expect(report.decoded / report.cases).toBeGreaterThan(0.2);
});
