import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLEAN, Line } from '../../../../src/system/net/link/line.ts';
import { seededRandom, seedFrom } from '../../../../src/system/numbers/random.ts';

/** Returns how long (ms) bytes are on the line at least, and at most. */
function latency(line: Line, bytes: number): readonly [least: number, most: number] {
  const before = performance.now();
  const at = line.arrival(bytes);
  return [at - performance.now(), at - before];
}

it('bytes are late by the delay, and deviate by the jitter at most', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(1000), fc.nat(2000), (seed, delayMs, jitterMs) => {
      const line = new Line(seededRandom(seed));
      line.shape = { ...CLEAN, delayMs, jitterMs };
      const [least, most] = latency(line, 100);
      expect(most).toBeGreaterThanOrEqual(Math.max(0, delayMs - jitterMs));
      expect(least).toBeLessThanOrEqual(delayMs + jitterMs);
    }),
  );
});

it('a line of limited rate takes a second for the bytes of a second, from all its connections', () => {
  const line = new Line(seededRandom(1));
  line.shape = { ...CLEAN, rate: 50_000 };
  const first = line.arrival(100_000);
  expect(line.arrival(50_000) - first).toBeCloseTo(1000, 0);
  expect(line.piece).toBe(2500);
});

it('each lost segment holds a stream up by a retransmission timeout and a round trip', () => {
  const outcomes = [0.5, 0.05, 0.5, 0.05, 0.05, 0.5, 0.9];
  const line = new Line(() => outcomes.shift() ?? 1);
  line.shape = { ...CLEAN, loss: 0.1, delayMs: 50 };
  expect(line.stall(3 * 1460)).toBe(3 * 300);
  expect(outcomes).toEqual([0.9]);
  line.shape = CLEAN;
  expect(line.stall(1460)).toBe(0);
});

it('a seed and a link determine all deviations', () => {
  const draws = (text: string, seed: number) => {
    const random = seededRandom(seedFrom(text, seed));
    return [random(), random(), random()];
  };
  expect(draws('a>b', 1)).toEqual(draws('a>b', 1));
  expect(draws('a>b', 1)).not.toEqual(draws('a>c', 1));
  expect(draws('a>b', 1)).not.toEqual(draws('a>b', 2));
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const value = seededRandom(seed)();
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
    }),
  );
});
