import { expect } from 'vitest';
import { formatReport, type OnProgress, type Report } from '../nodes/execution/support/fuzz/campaign.ts';

export const CASES = Number(process.env['FUZZ_CASES'] ?? 1_000_000);
export const SEED = Number(process.env['FUZZ_SEED'] ?? 2026);

/**
 * Runs an attack, prints its progress, and judges it.
 * `decoded`: the share of requests that has to pass the first decoder.
 */
export async function expectHarmless(run: (report: OnProgress) => Promise<Report>, decoded: number): Promise<void> {
  const start = performance.now();
  const report = await run((cases, problems) =>
    console.log(
      `${cases} cases after ${Math.round((performance.now() - start) / 1000)} s, ${problems} answered wrongly`,
    ),
  );
  console.log(formatReport(report));
  expect(report.problems).toEqual([]);
  expect(report.cases).toBe(CASES);
  expect(report.decoded / report.cases).toBeGreaterThan(decoded);
  // In a shorter run the caches are not full yet.
  if (CASES >= 100_000) expect(report.memory.late).toBeLessThan(1.2 * report.memory.early);
}
