import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTROLLERS,
  intensityOf,
  limitsAt,
  type ThrottlePolicy,
} from '../../../../src/nodes/batcher/throttle/throttle-controller.ts';

const POLICY: ThrottlePolicy = {
  controller: 'linear',
  lowerThreshold: 1000,
  upperThreshold: 3000,
  txLower: 100,
  txUpper: 500,
  blockLower: 1000,
  blockUpper: 9000,
};

describe('throttling', () => {
  it.each([
    ['step', 1000, 0],
    ['step', 1001, 1],
    ['linear', 1000, 0],
    ['linear', 2000, 0.5],
    ['quadratic', 2000, 0.25],
    ['quadratic', 3000, 1],
    ['linear', 9999, 1],
    ['linear', 3000, 1],
    ['linear', 2999, 0.9995],
    ['step', 0, 0],
    ['quadratic', 999, 0],
  ] as const)('%s: a load of %i bytes gives strength %d', (controller, load, strength) => {
    expect(intensityOf({ ...POLICY, controller }, load)).toBe(strength);
  });

  it.each([
    [0, {}, { maxTxSize: 0, maxBlockSize: 9000 }],
    [0.5, {}, { maxTxSize: 300, maxBlockSize: 5000 }],
    [1, {}, { maxTxSize: 100, maxBlockSize: 1000 }],
    [1, { txLower: 0 }, { maxTxSize: 0, maxBlockSize: 1000 }],
    [0.5, { txLower: 0 }, { maxTxSize: 0, maxBlockSize: 5000 }],
    [0.5, { blockLower: 0 }, { maxTxSize: 300, maxBlockSize: 9000 }],
    [1, { blockLower: 0 }, { maxTxSize: 100, maxBlockSize: 9000 }],
    [0.3, {}, { maxTxSize: 380, maxBlockSize: 6600 }],
    [0.0001, {}, { maxTxSize: 499, maxBlockSize: 8999 }],
    [0.5, { txUpper: 50, blockUpper: 500 }, { maxTxSize: 100, maxBlockSize: 1000 }],
    [1, { txUpper: 50, blockUpper: 500 }, { maxTxSize: 100, maxBlockSize: 1000 }],
  ])('at strength %d with %o the limits are %o', (strength, changes, limits) => {
    expect(limitsAt({ ...POLICY, ...changes }, strength)).toEqual(limits);
  });

  it('never gets weaker with a higher load', () => {
    const load = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(fc.constantFrom(...CONTROLLERS), load, load, (controller, one, other) => {
        const policy = { ...POLICY, controller };
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((bytes) => intensityOf(policy, bytes));
        expect(low).toBeLessThanOrEqual(high!);
        expect(limitsAt(policy, high!).maxBlockSize).toBeLessThanOrEqual(limitsAt(policy, low!).maxBlockSize);
      }),
    );
  });
});

it('the controllers are those of op-batcher', () => {
  expect(CONTROLLERS).toEqual(['step', 'linear', 'quadratic']);
});
