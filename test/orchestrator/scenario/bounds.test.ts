import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { boundsOf, broken, isBound } from '../../../src/orchestrator/scenario/bounds.ts';

describe('a bound', () => {
  it.each([
    ['is at its value', 5, { is: 5 }, undefined],
    ['is one below', 4, { is: 5 }, '4, not 5'],
    ['is one above', 6, { is: 5 }, '6, not 5'],
    ['is 0 at its value', 0, { is: 0 }, undefined],
    ['is 0 above it', 1, { is: 0 }, '1, not 0'],
    ['above, at its value', 5, { above: 5 }, '5, not above 5'],
    ['above, one above', 6, { above: 5 }, undefined],
    ['above 0 at it', 0, { above: 0 }, '0, not above 0'],
    ['below, at its value', 5, { below: 5 }, '5, not below 5'],
    ['below, one below', 4, { below: 5 }, undefined],
    ['below 0 at it', 0, { below: 0 }, '0, not below 0'],
    ['above and below, between them', 5, { above: 4, below: 6 }, undefined],
    ['above and below, at the lower end', 4, { above: 4, below: 6 }, '4, not above 4'],
    ['above and below, at the upper end', 6, { above: 4, below: 6 }, '6, not below 6'],
    ['none', 5, {}, undefined],
  ])('%s: a value of %d', (_, found, bounds, reason) => {
    expect(broken(found, bounds)).toBe(reason);
    const exact = Object.fromEntries(Object.entries(bounds).map(([key, value]) => [key, BigInt(value)]));
    expect(broken(BigInt(found), exact)).toBe(reason);
  });

  it('is compared exactly when it is wei above 2^53', () => {
    expect(broken(2n ** 60n + 1n, { above: 2n ** 60n })).toBe(undefined);
    expect(broken(2n ** 60n, { above: 2n ** 60n }, (wei) => `${wei} wei`)).toBe(
      `${2n ** 60n} wei, not above ${2n ** 60n} wei`,
    );
  });

  it.each([
    [{}, false],
    [{ is: 0 }, true],
    [{ above: 0 }, true],
    [{ below: 0 }, true],
    [{ is: undefined }, false],
  ])('%j is given: %s', (bounds, given) => {
    expect(isBound(bounds)).toBe(given);
  });

  it('has no other key than is, above and below', () => {
    const schema = z.strictObject(boundsOf(z.number()));
    expect(z.safeParse(schema, { is: 1, above: 0, below: 2 }).success).toBe(true);
    expect(z.safeParse(schema, {}).success).toBe(true);
    expect(z.safeParse(schema, { over: 1 }).success).toBe(false);
  });
});
