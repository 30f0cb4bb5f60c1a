import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenBucket } from '../../../src/system/net/token-bucket.ts';
import { backoff } from '../../../src/system/time/backoff.ts';

describe('a token bucket', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('holds at most its burst, and refills at its rate', () => {
    const bucket = new TokenBucket(10, 20);
    expect(bucket.tokens).toBe(20);
    bucket.take(20);
    expect([bucket.tokens, bucket.delayMs()]).toEqual([0, 100]);
    vi.advanceTimersByTime(500);
    expect([bucket.tokens, bucket.delayMs()]).toEqual([5, 0]);
    vi.advanceTimersByTime(60_000);
    expect(bucket.tokens).toBe(20);
  });

  it('counts an overdraft, which later tokens pay back', () => {
    const bucket = new TokenBucket(10, 1);
    bucket.take(3);
    expect([bucket.tokens, bucket.delayMs()]).toEqual([-2, 300]);
    vi.advanceTimersByTime(300);
    expect([bucket.tokens, bucket.delayMs()]).toEqual([1, 0]);
  });
});

describe('a backoff', () => {
  it('doubles up to its longest pause, and starts again after a success', () => {
    const pauses = backoff(100, 500);
    expect([pauses.next(), pauses.next(), pauses.next(), pauses.next()]).toEqual([100, 200, 400, 500]);
    expect(pauses.failures).toBe(4);
    pauses.succeeded();
    expect([pauses.failures, pauses.next()]).toEqual([0, 100]);
  });
});
