import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BatcherHarness, noise } from '../harness.ts';
import { until } from '../helpers.ts';
import { serveSequencer } from '../sequencer.ts';

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
