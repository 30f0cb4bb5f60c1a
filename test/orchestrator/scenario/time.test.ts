import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { devnetAt } from '../../../src/orchestrator/devnet/select.ts';
import { steppedTime, timeOf, wallTime, whileRunning } from '../../../src/orchestrator/scenario/time.ts';
import { warpingTime } from '../../../src/orchestrator/scenario/warping-time.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';
import { type Asked, CLOCK_AT, type ServedDevnet, servedDevnet } from './served-devnet.ts';

let devnet: ServedDevnet;
beforeEach(async () => {
  devnet = await servedDevnet();
});
afterEach(() => devnet[Symbol.asyncDispose]());

const { signal } = new AbortController();
const ended = () => AbortSignal.abort(new Error('the network has ended'));
const here = () => devnetAt(pathsOf(devnet.home, 'one'));
const actions = () => devnet.asked.map((request) => ('action' in request ? request.action : request.method));
const [READ, STEP] = [
  { method: 'clock', action: 'read' },
  { method: 'clock', action: 'step' },
];

describe('the time of a stepped network', () => {
  it('is that of its clock, which moves by a slot when a step lets time pass', async () => {
    const time = await steppedTime(here, signal);
    expect([time.kind, time.now()]).toEqual(['stepped', CLOCK_AT]);
    await time.pass(5000);
    expect(time.now()).toBe(CLOCK_AT + 1000);
    expect(devnet.asked).toEqual([READ, STEP]);
  });

  it('passes no more when the network ends', async () => {
    const time = await steppedTime(here, ended());
    expect(() => time.pass(1)).toThrow('the network has ended');
    expect(devnet.asked).toEqual([READ]);
  });

  it('passes slot by slot while work runs, and stands when it has ended', async () => {
    const time = await steppedTime(here, signal);
    const third = Promise.withResolvers<string>();
    devnet.answers = {
      clock(_request, count) {
        if (count === 4) third.resolve('done');
        const at = CLOCK_AT + count;
        return { from: at, at, to: at, complete: true, ms: 1, blocks: {} };
      },
    };
    expect(await time.running(() => third.promise)).toBe('done');
    expect(devnet.asked).toEqual([READ, STEP, STEP, STEP]);
    expect(time.now()).toBe(CLOCK_AT + 4);
  });

  it('does not pass for work that ends at once, or fails', async () => {
    const time = await steppedTime(here, signal);
    expect(await time.running(async () => 'done')).toBe('done');
    await expect(time.running(() => Promise.reject(new Error('no program')))).rejects.toThrow('no program');
    expect(await time.standing(async () => 'done')).toBe('done');
    expect(devnet.asked).toEqual([READ]);
  });

  it('settles when all processes are done with it', async () => {
    const time = await steppedTime(here, signal);
    await time.settle();
    expect(devnet.asked).toEqual([READ, { method: 'clock', action: 'settle' }]);
  });

  it('has one slot for steps that run at the same time', async () => {
    const time = await steppedTime(here, signal);
    await time.together([() => time.pass(1), () => time.pass(1)]);
    expect(devnet.asked).toEqual([READ, STEP]);
  });

  it('is that at which a warp ends', async () => {
    const time = await steppedTime(here, signal);
    const to = CLOCK_AT + 30_000;
    const result = await time.warp({ to: '+30s', past: false, chain: undefined });
    expect(result).toEqual({ from: CLOCK_AT, at: to, to, complete: true, ms: 1, blocks: {} });
    expect(time.now()).toBe(to);
    expect(devnet.asked).toEqual([READ, READ, { method: 'warp', to }]);
  });

  it('is not moved by a warp when the network ends', async () => {
    const time = await steppedTime(here, ended());
    expect(await time.warp({ to: '+30s', past: false, chain: undefined })).toMatchObject({ complete: false });
    expect(time.now()).toBe(CLOCK_AT);
  });
});

describe('the time of a network that follows the machine', () => {
  it('is that of the machine, and passes by itself', async () => {
    const time = wallTime(here, signal);
    const before = performance.now();
    await time.pass(5);
    expect(time.kind).toBe('wall');
    expect(time.now()).toBeGreaterThanOrEqual(before);
    expect(time.now()).toBeLessThanOrEqual(performance.now());
    expect(await time.running(async () => 'done')).toBe('done');
    await time.settle();
    expect(await time.together([async () => 1, async () => 2])).toEqual([1, 2]);
    expect(devnet.asked).toEqual([]);
  });

  it('passes no more when the network ends', async () => {
    const days = 30 * 86_400_000;
    for (const signal of [ended(), AbortSignal.timeout(20)])
      await expect(wallTime(here, signal).pass(days)).rejects.toSatisfy((error) => error === signal.reason);
  });

  it.each([
    ['ends', () => Promise.resolve('done')],
    ['fails', () => Promise.reject(new Error('no'))],
  ])('stands while work runs that %s', async (_, end) => {
    const time = wallTime(here, signal);
    const during: unknown[] = [];
    const work = () => {
      during.push(...actions());
      return end();
    };
    await time.standing(work).catch(() => undefined);
    expect(during).toEqual(['pause']);
    expect(actions()).toEqual(['pause', 'resume']);
  });

  it('is moved by a warp', async () => {
    const to = CLOCK_AT + 30_000;
    const result = await wallTime(here, signal).warp({ to: '+30s', past: false, chain: undefined });
    expect(result).toEqual({ from: CLOCK_AT, at: to, to, complete: true, ms: 1, blocks: {} });
    const end = await wallTime(here, ended()).warp({ to: '+30s', past: false, chain: undefined });
    expect(end).toMatchObject({ complete: false });
  });
});

it('the time of a network with a client that reads the clock of the machine passes in place of a warp', async () => {
  await using real = await servedDevnet((home) => fixturePlan(home, 'one', [{ port: 1 }], { a: { clock: 'wall' } }));
  const there = () => devnetAt(pathsOf(real.home, 'one'));
  const to = CLOCK_AT + 20;
  expect(await wallTime(there, signal).warp({ to: '+20ms', past: false, chain: undefined })).toEqual({
    ...{ from: CLOCK_AT, at: to, to },
  });
  expect(real.asked).toEqual([READ]);
  const behind = { to: `time:${CLOCK_AT / 1000 - 1}`, past: false, chain: undefined };
  await expect(wallTime(there, signal).warp(behind)).rejects.toThrow('lies behind');
  // A timer of Node.js is at most 25 days long.
  for (const signal of [ended(), AbortSignal.timeout(20)])
    await expect(wallTime(there, signal).warp({ to: '+1000h', past: false, chain: undefined })).rejects.toThrow();
});

it.each(['stepped', 'wall'] as const)('the time of a network whose clock is %s is of that kind', async (clock) => {
  expect((await timeOf(here, { time: { clock, rate: 1 } }, signal)).kind).toBe(clock);
});

describe('work of a command while the network goes on', () => {
  const plan = { time: { clock: 'stepped', rate: 1 } } as const;

  it('has its result, and the slots that it takes', async () => {
    const slot = Promise.withResolvers<string>();
    devnet.answers = {
      clock(request: Asked) {
        if ('action' in request && request.action === 'step') slot.resolve('done');
        return { from: 1, at: 1, to: 1, complete: true, ms: 1, blocks: {}, rate: 0, isPaused: false };
      },
    };
    expect(await whileRunning(here(), plan, () => slot.promise)).toBe('done');
    expect(actions()).toEqual(['read', 'step']);
  });

  it('fails as soon as the network ends', async () => {
    const begun = Promise.withResolvers<void>();
    const work = whileRunning(here(), { time: { clock: 'wall', rate: 1 } }, () => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const failed = expect(work).rejects.toMatchObject({ code: 'ended' });
    await begun.promise;
    await devnet.end();
    await failed;
  });
});

describe('a time that passes by warps', () => {
  const secondsOf = () => devnet.asked.flatMap((each) => ('to' in each ? [each.to] : []));

  it('moves twice as far each time, from the longest block time of the network up to ten minutes', async () => {
    await devnet[Symbol.asyncDispose]();
    const plan = fixturePlan('/home', 'one', [{ port: 1 }]);
    const [chain] = plan.network.chains;
    const slow = { ...plan, network: { ...plan.network, chains: [chain!, { ...chain!, name: 'b', blockTime: 3 }] } };
    devnet = await servedDevnet(() => slow);
    const time = await warpingTime(here, slow, signal);
    for (let pass = 0; pass < 10; pass++) await time.pass(1);
    const ends = [CLOCK_AT, ...secondsOf()].map((at) => (Number(at) - CLOCK_AT) / 1000);
    const lengths = ends.slice(1).map((end, index) => end - ends[index]!);
    expect(lengths).toEqual([3, 6, 12, 24, 48, 96, 192, 384, 600, 600]);
  });

  it('begins with a block of L1 if that is longer, counts by the machine, and is no stepped one', async () => {
    const plan = fixturePlan('/home', 'one', [{ port: 1 }]);
    const time = await warpingTime(here, { ...plan, time: { clock: 'stepped', rate: 1 } }, signal);
    await time.pass(1);
    expect(secondsOf()).toEqual([CLOCK_AT + 2000]);
    expect(time.kind).toBe('wall');
    expect(time.now()).toBeLessThanOrEqual(performance.now());
    expect(await time.standing(async () => 'done')).toBe('done');
  });

  it('is not moved when the network ends as it passes', async () => {
    const end = new AbortController();
    devnet.answers = {
      clock() {
        end.abort();
        return { at: CLOCK_AT, rate: 0, isPaused: false };
      },
    };
    const time = await warpingTime(here, fixturePlan('/home', 'one', [{ port: 1 }]), end.signal);
    await time.pass(1);
    expect(secondsOf()).toEqual([]);
  });

  it('passes no more when the network ends', async () => {
    const time = await warpingTime(here, fixturePlan('/home', 'one', [{ port: 1 }]), ended());
    await expect(time.pass(1)).rejects.toThrow('the network has ended');
    expect(devnet.asked).toEqual([]);
  });
});
