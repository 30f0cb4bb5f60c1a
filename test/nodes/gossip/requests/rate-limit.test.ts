import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rateLimit } from '../../../../src/nodes/gossip/requests/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('a rate limit passes its burst at once, and holds or refuses the next by its wait', async () => {
  const pass = rateLimit(4, 2, 500);
  expect(await Promise.all([pass(), pass()])).toEqual([true, true]);
  const passed: string[] = [];
  const third = pass().then((result) => passed.push(`third ${result}`));
  const fourth = pass().then((result) => passed.push(`fourth ${result}`));
  expect(await pass(), 'a wait of 750 ms').toBe(false);
  await vi.advanceTimersByTimeAsync(249);
  expect(passed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(passed).toEqual(['third true']);
  await vi.advanceTimersByTimeAsync(250);
  await Promise.all([third, fourth]);
  expect(passed).toEqual(['third true', 'fourth true']);
});
