import { expect, it } from 'vitest';
import { warpProgressText } from '../../../src/orchestrator/terminal/warp-progress.ts';

const FROM = Date.parse('2026-11-27T10:00:00Z');
const text = (seconds: number, elapsed: number, blockTime = 2) =>
  warpProgressText({ from: FROM, at: FROM + seconds * 1000, to: FROM + 3_600_000, elapsed, blockTime });

it.each([
  [0, 0, '2026-11-27T10:00:00Z, 0 %'],
  [36, 400, '2026-11-27T10:00:36Z, 1 %'],
  [900, 10_000, '2026-11-27T10:15:00Z, 25 %, 45 blocks/s, 30 s left'],
  [36, 10_000, '2026-11-27T10:00:36Z, 1 %, 1.8 blocks/s, 16 min 30 s left'],
  [3600, 60_000, '2026-11-27T11:00:00Z, 100 %, 30 blocks/s, 0 s left'],
])('a warp that moved %d s in %d ms shows its speed and the time that is left', (seconds, elapsed, line) => {
  expect(text(seconds, elapsed)).toBe(line);
});
