import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MainThreadShare } from '../../../src/nodes/execution/read-worker/main-thread-share.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('an unmeasured or slow method goes to the worker, a fast one does not', () => {
  const share = new MainThreadShare();
  expect(share.has('eth_call')).toBe(false);
  share.seen('eth_call', 1);
  share.seen('eth_getLogs', 100);
  expect([share.has('eth_call'), share.has('eth_getLogs')]).toEqual([true, false]);
  // The method becomes slow, then fast again.
  share.seen('eth_call', 50);
  expect(share.has('eth_call')).toBe(false);
  for (let count = 0; count < 20; count++) share.seen('eth_call', 0.5);
  expect(share.has('eth_call')).toBe(true);
});

test('a tenth of the time is theirs, and what they take of it too soon is missed later', () => {
  const share = new MainThreadShare();
  share.seen('eth_call', 1);
  let answered = 0;
  for (let ms = 0; ms < 10_000; ms++) {
    vi.advanceTimersByTime(1);
    if (!share.has('eth_call')) continue;
    share.spent('eth_call', 1);
    answered++;
  }
  expect(answered).toBeGreaterThanOrEqual(1000);
  expect(answered).toBeLessThanOrEqual(1025);
});
