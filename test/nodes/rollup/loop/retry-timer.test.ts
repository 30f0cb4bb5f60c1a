import { expect, it } from 'vitest';
import { retryTimer } from '../../../../src/nodes/rollup/loop/retry-timer.ts';
import type { Clock } from '../../../../src/system/time/clock.ts';

/** A timer from 100 ms to 500 ms on a wall clock that the test moves. */
function timerAt(start: number) {
  const wall = { now: start };
  const clock = { elapsed: () => wall.now } as Partial<Clock> as Clock;
  return { wall, timer: retryTimer(clock, 100, 500) };
}

it('the waits of a retry timer double from the first to at most the longest', () => {
  const { timer } = timerAt(1000);
  const waits = Array.from({ length: 5 }, () => timer.failed().retryAt - 1000);
  expect([waits, timer.failures]).toEqual([[100, 200, 400, 500, 500], 5]);
  timer.succeeded();
  expect([timer.failures, timer.failed().retryAt]).toEqual([0, 1100]);
});

it.each([
  [0, 100],
  [99, 100],
  [101, 101],
  [900, 900],
])('a retry timer whose caller demands %i ms waits %i ms', (least, wait) => {
  expect(timerAt(1000).timer.failed(least).retryAt).toBe(1000 + wait);
});

it('a retry timer waits until its time has come or it is cleared', () => {
  const { wall, timer } = timerAt(1000);
  expect(timer.waiting()).toBeUndefined();
  timer.after(50);
  expect([timer.waiting(), timer.failures]).toEqual([{ retryAt: 1050 }, 0]);
  wall.now = 1049;
  expect(timer.waiting()).toEqual({ retryAt: 1050 });
  wall.now = 1050;
  expect(timer.waiting()).toBeUndefined();
  timer.failed();
  timer.clear();
  expect(timer.waiting()).toBeUndefined();
});

it.each([
  { of: 'the first in a row', failures: ['closed'], news: [true] },
  {
    of: 'that with another message than the one before',
    failures: ['closed', 'fault', 'closed'],
    news: [true, true, true],
  },
  { of: 'no repetition', failures: ['closed', 'closed', 'fault', 'fault'], news: [true, false, true, false] },
  { of: 'the first after a success', failures: ['closed', undefined, 'closed'], news: [true, true] },
])('a retry timer says which failure is news: $of', ({ failures, news }) => {
  const { timer } = timerAt(1000);
  const said: boolean[] = [];
  for (const message of failures) {
    if (message === undefined) timer.succeeded();
    else {
      said.push(timer.isNews(new Error(message)));
      timer.failed();
    }
  }
  expect(said).toEqual(news);
});
