import { expect, it } from 'vitest';
import { fuzz, printed } from '../nodes/execution/support/fuzz/fuzz.ts';

const CASES = Number(process.env['FUZZ_CASES'] ?? 1_000_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 2026);

it(`answers ${CASES} mutated requests rightly, and the valid one after each, in the same memory`, async () => {
  const begun = performance.now();
  const told = (cases: number) =>
    console.log(`${cases} cases after ${Math.round((performance.now() - begun) / 1000)} s`);
  const report = await fuzz(SEED, CASES, told);
  console.log(printed(report));
  expect(report.problems).toEqual([]);
  expect(report.cases).toBe(CASES);
  expect(report.decoded / report.cases).toBeGreaterThan(0.2);
  // In a shorter run the caches are still filling.
  if (CASES >= 100_000) expect(report.memory.late).toBeLessThan(1.2 * report.memory.early);
});
