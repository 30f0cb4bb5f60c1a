import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseClockFile, reach, timeAt, wallClock, wallUntil, withRate } from '../../../src/system/time/clock.ts';

const HOUR = 3_600_000;

describe('the arithmetic of a clock', () => {
  const states = fc.record({
    at: fc.integer({ min: 0, max: 2e12 }),
    wall: fc.integer({ min: 0, max: 2e12 }),
    rate: fc.constantFrom(0.25, 1, 20),
  });
  const later = fc.integer({ min: 0, max: 1e9 });

  it('reaches a time after exactly the wall time that it says', () => {
    fc.assert(
      fc.property(states, later, later, (state, passed, ahead) => {
        const now = state.wall + passed;
        const time = timeAt(state, now) + ahead;
        expect(timeAt(state, now + wallUntil(state, time, now))).toBeCloseTo(time, 0);
      }),
    );
  });

  it('never jumps when its rate changes', () => {
    fc.assert(
      fc.property(states, later, fc.constantFrom(0, 1, 20), (state, passed, rate) => {
        const now = state.wall + passed;
        expect(timeAt(withRate(state, rate, now), now)).toBe(timeAt(state, now));
      }),
    );
  });

  it('stands at rate 0: a time ahead is never reached, one behind is', () => {
    const state = { at: 1000, wall: 0, rate: 0 };
    expect([timeAt(state, 5000), wallUntil(state, 1001, 5000), wallUntil(state, 1000, 5000)]).toEqual([
      1000,
      Number.POSITIVE_INFINITY,
      0,
    ]);
  });

  it.each([
    '',
    '{}',
    '{"at":1,"wall":2}',
    '{"at":1,"wall":2,"rate":-1}',
    '{"at":1,"wall":2,"rate":"1"}',
    '{"at":1e300,"wall":2,"rate":1}',
    '{"at":1,"wall":-1e300,"rate":1}',
    '{"at":1,"wall":2,"rate":1e300}',
    `{"at":${8.64e15 + 1},"wall":2,"rate":1}`,
    '{"at":1,"wall":2,"rate":1000001}',
    '[]',
    'null',
  ])('takes no file that holds %s', (text) => expect(parseClockFile(text)).toBeUndefined());

  it('runs at most a million times as fast as the wall clock, up to the last time of a date', () => {
    const most = { at: 8.64e15, wall: 2, rate: 1_000_000 };
    expect(parseClockFile(JSON.stringify(most))).toEqual(most);
  });
});

it('a wait for a time of the clock ends when it is aborted', async () => {
  const stop = new AbortController();
  const reached = reach(wallClock(), Date.now() + HOUR, stop.signal);
  stop.abort();
  expect(await reached).toBe(false);
});
