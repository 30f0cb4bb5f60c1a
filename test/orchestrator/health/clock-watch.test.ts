import { describe, expect, it } from 'vitest';
import { ClockWatch } from '../../../src/orchestrator/health/clock-watch.ts';
import type { ClockHead } from '../../../src/orchestrator/health/facts.ts';

const WALL = 1_700_000_000_000;
const HEAD: ClockHead = {
  gauge: 's unsafe',
  ...{ blockMs: 1000, interval: 1000, rate: 1, move: 0, notAhead: false },
};
/** A time at which each standstill has passed its limit. */
const LATE_MS = 1e9;

/** Shows blocks that are so many milliseconds behind the network's clock, one a second. */
function shown(head: Partial<ClockHead>, ...behind: readonly number[]): ClockWatch {
  const watch = new ClockWatch({ ...HEAD, ...head }, 's');
  show(watch, 0, ...behind);
  return watch;
}
function show(watch: ClockWatch, from: number, ...behind: readonly number[]): void {
  for (const [index, ms] of behind.entries()) {
    const second = from + index;
    // A block's time has whole seconds. The network's clock makes the difference.
    const time = 1000 + second;
    watch.observe({ number: second, time }, { watched: second * 1000, wall: WALL + second * 1000 }, time * 1000 + ms);
  }
}

/** The second of the last progress. */
const progressOf = (watch: ClockWatch) => ((watch.symptoms(LATE_MS)[0]?.since ?? Number.NaN) - WALL) / 1000;
const saysOf = (watch: ClockWatch) => watch.symptoms(LATE_MS)[0]?.what;

describe('a head that follows the clock', () => {
  it.each<[name: string, second: number, head: Partial<ClockHead>, behind: readonly number[]]>([
    ['is on time up to a block and 3.5 s', 2, {}, [0, 4500, 4500]],
    ['is late from there on', 1, {}, [0, 4501, 4501]],
    ['is on time up to a block and 4.5 intervals, less the polling', 1, { blockMs: 2000 }, [0, 6500]],
    ['is late from there on with blocks of 2 s', 1, { blockMs: 2000 }, [0, 6501, 6501]],
    ['may be behind by a move of the clock', 2, { move: 2000 }, [0, 0, 6500]],
    ['may be behind by more on a fast clock', 1, { blockMs: 2000, rate: 2 }, [0, 9000]],
    ['is late on a fast clock, too', 1, { blockMs: 2000, rate: 2 }, [0, 9001, 9001]],
    ['catches up by half a second', 2, {}, [20_000, 19_500, 19_000]],
    ['does not catch up by less', 0, {}, [20_000, 19_501, 19_501]],
    ['catches up by half a second of a fast clock', 1, { rate: 2 }, [20_000, 19_000]],
    ['does not catch up by less of a fast clock', 0, { rate: 2 }, [20_000, 19_001]],
    ['does not catch up with one of its last eight blocks', 1, {}, [20_000, 10_000, 13_000, 10_000]],
    ['is at its first late block after a jump', 1, {}, [10_000, 13_501, 13_501]],
    ['is not at its first late block by a smaller step', 0, {}, [10_000, 13_500, 13_500]],
    ['is compared with eight blocks', 0, {}, [10_000, ...Array<number>(7).fill(12_000), 11_000]],
    ['is not compared with the ninth block before', 9, {}, [10_000, ...Array<number>(8).fill(12_000), 11_000]],
  ])('%s: its last progress is in second %i', (_, second, head, behind) => {
    expect(progressOf(shown(head, ...behind))).toBe(second);
  });

  it('makes no progress with the same block, and none without a time', () => {
    const watch = shown({}, 20_000);
    watch.observe({ number: 0, time: 1000 }, { watched: 1000, wall: WALL + 1000 }, 1_010_000);
    watch.observe({ number: 1 }, { watched: 2000, wall: WALL + 2000 }, 0);
    expect(progressOf(watch)).toBe(0);
  });

  it.each<[name: string, head: Partial<ClockHead>, ms: number]>([
    ['three intervals after the expected block', {}, 4500],
    ['three of its own intervals', { interval: 4000 }, 14_500],
    ['three intervals of wall time on a fast clock', { blockMs: 8000, interval: 4000, rate: 4 }, 7500 - 1000],
  ])('is a problem after %s, and later while there is no answer', (_, head, ms) => {
    const watch = shown(head, 0, 0);
    const limit = ms + 1000;
    expect(watch.symptoms(limit - 1)).toEqual([]);
    expect(watch.symptoms(limit)).toHaveLength(1);
    watch.hold(700);
    expect(watch.symptoms(limit + 699)).toEqual([]);
    expect(watch.symptoms(limit + 700)).toHaveLength(1);
  });

  it('is a problem of its subject since its first late block', () => {
    expect(shown({}, 0, 72_500).symptoms(LATE_MS)).toEqual([
      {
        ...{ id: 's unsafe', subject: 's', since: WALL + 1000, causes: [] },
        what: "falls behind the network's clock: 72 blocks (1 min 13 s of chain time)",
      },
    ]);
  });

  it('keeps its message until the delay doubles or halves', () => {
    const watch = shown({}, 10_000);
    const says = (second: number, behind: number) => {
      show(watch, second, behind);
      return saysOf(watch)?.match(/clock: (\d+) blocks/)?.[1];
    };
    expect(says(1, 10_000)).toBe('10');
    expect(says(2, 19_999)).toBe('10');
    expect(says(3, 20_000)).toBe('20');
    expect(says(4, 10_001)).toBe('20');
    expect(says(5, 10_000)).toBe('10');
    show(watch, 6, 0);
    expect(says(7, 12_000)).toBe('12');
    watch.restart();
    expect(watch.symptoms(LATE_MS)).toEqual([]);
    expect(says(8, 14_000)).toBe('14');
    expect(says(9, 13_500)).toBe('14');
  });

  it('begins anew at a restart', () => {
    const watch = shown({}, 20_000);
    watch.restart();
    show(watch, 1, 22_000, 21_000);
    expect(progressOf(watch)).toBe(2);
  });
});

describe('a head that must not be ahead of the clock', () => {
  const ahead = (...ms: readonly number[]) => shown({ notAhead: true }, ...ms.map((each) => -each));

  it.each<[isAhead: boolean, head: ClockWatch]>([
    [false, ahead(1501)],
    [true, ahead(1501, 1501)],
    [false, ahead(1500, 1500)],
    [false, ahead(0, 1501)],
    [false, ahead(1501, 1500, 1501)],
    [false, shown({}, -9000, -9000)],
  ])('%s: is ahead by two answers that are more than a block and half a second ahead', (isAhead, watch) => {
    expect(watch.isAhead).toBe(isAhead);
    expect(watch.symptoms(2000)).toHaveLength(Number(isAhead));
  });

  it('is a problem by the first answer', () => {
    expect(ahead(0, 9_600, 7_000, 5_000).symptoms(4000)).toEqual([
      {
        ...{ id: 's unsafe', subject: 's', since: WALL + 1000, causes: [] },
        what: "its time was moved 10 s ahead of the network's clock",
      },
    ]);
  });

  it('is none after a restart', () => {
    const watch = ahead(9000, 9000);
    watch.restart();
    expect(watch.isAhead).toBe(false);
    show(watch, 2, -9000);
    expect(watch.isAhead).toBe(false);
  });
});
