import { describe, expect, it } from 'vitest';
import { LEFT, scaleOf } from '../../../src/page/forks/scale.ts';

const TIMES = [1012, 1300, 1084, null];

describe('a time line', () => {
  it.each([[1400], [366], [200]])(
    'runs to the right, and what never comes stands beyond its end, on %i px',
    (width) => {
      const { end, x } = scaleOf(TIMES, width);
      expect([x(1012), x(1300)]).toEqual([LEFT, end]);
      expect(x(1084)).toBeGreaterThan(x(1012));
      expect(x(1300)).toBeGreaterThan(x(1084));
      expect(x(null)).toBeGreaterThan(end);
    },
  );

  it('leaves space for the last label, and for that of what never comes', () => {
    expect(scaleOf([1012, 1300], 1400).end).toBe(1290);
    expect(scaleOf(TIMES, 1400)).toMatchObject({ end: 1180 });
    expect(scaleOf(TIMES, 1400).x(null)).toBe(1290);
  });

  it('has one time at its begin', () => {
    expect(scaleOf([1012], 366).x(1012)).toBe(LEFT);
  });
});
