import { afterEach, expect, it, vi } from 'vitest';
import { rateLimitByAddress } from '../../../src/rpc/server/rate-limit.ts';

afterEach(() => vi.useRealTimers());

it('an address may send as many requests at once as its limit, and each of a batch counts', () => {
  const limit = rateLimitByAddress(5);
  expect(limit(5, '10.0.0.1')).toBeUndefined();
  expect(limit(5, '10.0.0.2'), 'another address has a limit of its own').toBeUndefined();
});

it('a message of more requests than the limit is always refused, and takes nothing from the limit', () => {
  const limit = rateLimitByAddress(5);
  for (const _ of [1, 2])
    expect(limit(6, '10.0.0.1')).toMatchObject({
      code: -32005,
      message: 'too many requests: at most 5 a second from one address',
    });
  expect(limit(5, '10.0.0.1')).toBeUndefined();
});

it('an address that has used its limit may send again as time passes', () => {
  vi.useFakeTimers();
  const limit = rateLimitByAddress(5);
  expect(limit(4, '10.0.0.1')).toBeUndefined();
  expect(limit(2, '10.0.0.1')).toMatchObject({ code: -32005 });
  expect(limit(1, '10.0.0.1')).toBeUndefined();
  expect(limit(1, '10.0.0.1')).toMatchObject({ code: -32005 });
  vi.advanceTimersByTime(400);
  expect(limit(2, '10.0.0.1')).toBeUndefined();
  expect(limit(1, '10.0.0.1')).toMatchObject({ code: -32005 });
});
