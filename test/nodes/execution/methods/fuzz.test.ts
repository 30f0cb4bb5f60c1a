import { expect, test } from 'vitest';
import { fuzzPublic } from '../support/fuzz/public-fuzz.ts';

test.each([
  ['go', 'http'],
  ['rust', 'http'],
  ['go', 'websocket'],
  ['rust', 'websocket'],
] as const)(
  'the %s flavour answers mutated requests over %s correctly, and the valid one after each',
  { timeout: 300_000 },
  async (flavour, port) => {
    const report = await fuzzPublic(flavour, port, 7, 300);
    expect(report.problems).toEqual([]);
    expect(report.cases).toBe(300);
    expect(report.decoded / report.cases).toBeGreaterThan(0.15);
  },
);
