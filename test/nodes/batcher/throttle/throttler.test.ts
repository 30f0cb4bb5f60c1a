import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CONTROLLERS,
  intensityOf,
  limitsAt,
  type ThrottlePolicy,
} from '../../../../src/nodes/batcher/throttle/throttle-controller.ts';
import { BatcherHarness, noise } from '../harness.ts';
import { until } from '../helpers.ts';
import { serveSequencer } from '../sequencer.ts';

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
  ] as const)('%s: a load of %i bytes gives strength %d', (controller, load, strength) => {
    expect(intensityOf({ ...POLICY, controller }, load)).toBe(strength);
  });

  it.each([
    [0, {}, { maxTxSize: 0, maxBlockSize: 9000 }],
    [0.5, {}, { maxTxSize: 300, maxBlockSize: 5000 }],
    [1, {}, { maxTxSize: 100, maxBlockSize: 1000 }],
    [1, { txLower: 0 }, { maxTxSize: 0, maxBlockSize: 1000 }],
    [1, { blockLower: 0 }, { maxTxSize: 100, maxBlockSize: 9000 }],
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

describe('the batcher throttles', () => {
  let harness: BatcherHarness;
  beforeEach(async () => {
    harness = await BatcherHarness.start();
  });
  afterEach(() => harness.close());

  const VALUES = {
    throttleLower: 200,
    throttleUpper: 1_000_000,
    throttleController: 'step',
    throttleTxLower: 150,
    throttleBlockLower: 2000,
    throttleBlockUpper: 130_000,
  } as const;
  const last = () => harness.state.limits?.at(-1)?.map(Number);
  const limited = (...limits: number[]) => until(`limits ${limits}`, () => last()?.join() === limits.join());

  it('the sequencer while the backlog of unposted blocks is over the threshold, and no longer', async () => {
    const batcher = await harness.batcher(VALUES);
    await limited(0, 130_000);
    await harness.grow(2, 0, noise);
    await limited(150, 2000);
    const { current_load, ...rest } = (await harness.admin(batcher, 'admin_getThrottleController')) as Record<
      string,
      unknown
    >;
    expect(current_load).toBeGreaterThan(200);
    expect(rest).toEqual({ type: 'step', threshold: 200, intensity: 1, max_tx_size: 150, max_block_size: 2000 });
    harness.state.safe = harness.state.unsafe;
    await limited(0, 130_000);
  });

  it('by the controller in force, which an administrator can change', async () => {
    const batcher = await harness.batcher({ ...VALUES, throttleController: 'quadratic' });
    await harness.grow(2, 0, noise);
    await limited(19_999, 129_999);
    await harness.admin(batcher, 'admin_setThrottleController', 'step', null);
    await limited(150, 2000);
    await expect(harness.admin(batcher, 'admin_setThrottleController', 'pid')).rejects.toThrow(
      'expected one of step, linear, quadratic, found "pid"',
    );
  });

  it('--throttle.additional-endpoints too', async () => {
    const further = { ...harness.state, limits: [] as NonNullable<typeof harness.state.limits> };
    const server = await serveSequencer(further);
    try {
      await harness.batcher({ ...VALUES, throttleEndpoints: [server.url] });
      await until('both have limits', () => further.limits.length > 0 && (harness.state.limits?.length ?? 0) > 0);
    } finally {
      await server.close();
    }
  });

  it('the throttler limits nothing when the threshold is 0', async () => {
    const batcher = await harness.batcher({ ...VALUES, throttleLower: 0 });
    await harness.grow(2, 0, noise);
    await harness.posted();
    expect(harness.state.limits).toEqual([]);
    await expect(harness.admin(batcher, 'admin_getThrottleController')).rejects.toThrow('throttling is off');
  });
});

describe('an execution client without miner_setMaxDASize', () => {
  it('gets one warning when the batcher throttles, and does not stop it', async () => {
    const harness = await BatcherHarness.start('jovian', {}, false);
    try {
      await harness.batcher({ throttleLower: 200, throttleUpper: 1000 });
      await harness.grow(2, 0, noise);
      await until('it says so', () => harness.lines.some((line) => line.includes('cannot be throttled')));
      await harness.posted();
      expect(await harness.derived()).toEqual(harness.hashes);
      expect(harness.lines.filter((line) => line.includes('cannot be throttled'))).toHaveLength(1);
    } finally {
      await harness.close();
    }
  });
});
