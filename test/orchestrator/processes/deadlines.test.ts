import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deadlines } from '../../../src/orchestrator/processes/deadlines.ts';

const HOUR_MS = 3_600_000;

describe('the deadlines of a start', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([1, 1000])('end a start that is not ready after %i h, and none before', async (hours) => {
    const start = new AbortController();
    deadlines({ budgetMs: hours * HOUR_MS }, () => ({}), start);
    await vi.advanceTimersByTimeAsync(hours * HOUR_MS - 1);
    expect(start.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(start.signal.reason).toMatchObject({ seconds: hours * 3600 });
  });

  it.each([
    [undefined, true],
    [1001, true],
    [1000, false],
  ])('end a start whose stamp came after %s h of 1000: %s', async (reached, isLate) => {
    const start = new AbortController();
    const began = Date.now();
    const stamps = reached === undefined ? {} : { answering: began + reached * HOUR_MS };
    const times = { budgetMs: 2000 * HOUR_MS, stamps: { began, ms: { answering: 1000 * HOUR_MS } } };
    const { clear } = deadlines(times, () => stamps, start);
    await vi.advanceTimersByTimeAsync(999 * HOUR_MS);
    expect(start.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(start.signal.aborted).toBe(isLate);
    clear();
    expect(vi.getTimerCount()).toBe(0);
  });
});
