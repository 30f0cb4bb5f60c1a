import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockServer, serveClock } from '../../../src/orchestrator/clock/clock-server.ts';
import { createCheckpoints } from '../../../src/system/time/checkpoints.ts';
import { type Clock, reach, rest, wallClock } from '../../../src/system/time/clock.ts';
import { type ClockState, parseClockFile, timeAt, wallUntil, withRate } from '../../../src/system/time/clock-state.ts';
import { networkClock } from '../../../src/system/time/network-clock.ts';

const HOUR = 3_600_000;

/** A clock with its owner, on a real socket. */
async function owned(
  initial: ClockState,
): Promise<AsyncDisposable & { owner: ClockServer; clock: Clock; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'clock.json');
  const socket = join(folder, 'clock.sock');
  const owner = await serveClock(socket, initial);
  writeFileSync(file, JSON.stringify({ ...initial, socket }));
  const clock = networkClock(file, 'main/sequencer/cl');
  return {
    owner,
    clock,
    file,
    async [Symbol.asyncDispose]() {
      clock.close();
      await owner.close();
    },
  };
}

const standing = (at: number): ClockState => ({ at, wall: Date.now(), rate: 0 });

/** Resolves when the owner sees what a test waits for. */
function waitFor(owner: ClockServer, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = owner.onChange(look);
    look();
  });
}

describe('the arithmetic of a clock', () => {
  const states = fc.record({
    at: fc.integer({ min: 0, max: 2e12 }),
    wall: fc.integer({ min: 0, max: 2e12 }),
    rate: fc.constantFrom(0.25, 1, 20),
  });
  const later = fc.integer({ min: 0, max: 1e9 });

  it('reaches a time after exactly the wall time that it says', () => {
    fc.assert(
      fc.property(states, later, later, (state, elapsed, ahead) => {
        const now = state.wall + elapsed;
        const time = timeAt(state, now) + ahead;
        expect(timeAt(state, now + wallUntil(state, time, now))).toBeCloseTo(time, 0);
      }),
    );
  });

  it('never jumps when its rate changes', () => {
    fc.assert(
      fc.property(states, later, fc.constantFrom(0, 1, 20), (state, elapsed, rate) => {
        const now = state.wall + elapsed;
        expect(timeAt(withRate(state, rate, now), now)).toBe(timeAt(state, now));
      }),
    );
  });

  it('stands at rate 0: a later time is never reached, an earlier one is', () => {
    const state = { at: 1000, wall: 0, rate: 0 };
    expect([timeAt(state, 5000), wallUntil(state, 1001, 5000), wallUntil(state, 1000, 5000)]).toEqual([
      1000,
      Number.POSITIVE_INFINITY,
      0,
    ]);
  });

  it.each([
    '',
    '{}',
    '{"at":1,"wall":2}',
    '{"at":1,"wall":2,"rate":-1}',
    '{"at":1,"wall":2,"rate":"1"}',
    '{"at":1e300,"wall":2,"rate":1}',
    '{"at":1,"wall":-1e300,"rate":1}',
    '{"at":1,"wall":2,"rate":1e300}',
    '[]',
    'null',
  ])('refuses a file that holds %s', (text) => expect(parseClockFile(text)).toBeUndefined());
});

describe("the network's clock in a process", () => {
  it('starts at the time in its file, also without its owner', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.json');
    writeFileSync(file, JSON.stringify({ ...standing(5000), socket: '/nothing/listens/here' }));
    const clock = networkClock(file, 'main/sequencer/cl');
    expect(clock.now()).toBe(5000);
    clock.close();
  });

  it('follows its owner at once and wakes timers of chain time', async () => {
    await using one = await owned(standing(5000));
    const reached = reach(one.clock, 5000 + HOUR, new AbortController().signal);
    await waitFor(one.owner, () => one.owner.reports().has('main/sequencer/cl'));
    one.owner.push(standing(5000 + HOUR), { watched: false });
    expect(await reached).toBe(true);
    expect(one.clock.now()).toBe(5000 + HOUR);
  });

  it('keeps its state while its owner is away, and follows the next one', async () => {
    await using one = await owned(standing(5000));
    await waitFor(one.owner, () => one.owner.reports().size === 1);
    await one.owner.close();
    expect(one.clock.now()).toBe(5000);
    const again = await serveClock(join(dirname(one.file), 'clock.sock'), standing(7000));
    expect(await reach(one.clock, 7000, AbortSignal.timeout(8000))).toBe(true);
    await again.close();
  });

  it('reports a step with its progress once every part is idle', async () => {
    await using one = await owned(standing(5000));
    const { owner, clock } = one;
    const activity = clock.activity();
    let head = 'old';
    clock.report(() => ({ kind: 'beacon', l1: head, number: 1 }));
    activity.busy();
    const work = rest(clock, activity, 1000, new AbortController().signal).then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      head = 'new';
      activity.idle();
    });
    await waitFor(owner, () => owner.reports().size === 1);
    const step = owner.push(standing(6000), { watched: true });
    await work;
    await waitFor(owner, () => owner.reports().get('main/sequencer/cl')?.step === step);
    expect(owner.reports().get('main/sequencer/cl')).toEqual({
      step,
      progress: { kind: 'beacon', l1: 'new', number: 1 },
    });
  });

  it('stops waiting when aborted', async () => {
    const stop = new AbortController();
    const reached = reach(wallClock(), Date.now() + HOUR, stop.signal);
    stop.abort();
    expect(await reached).toBe(false);
  });
});

it('the owner asks programs for the steps for a checkpoint, and tells which one failed', async () => {
  await using one = await owned(standing(1000));
  const { owner, clock } = one;
  await waitFor(owner, () => owner.reports().has('main/sequencer/cl'));
  const step = (name: 'remember' | 'suspend' | 'goBack' | 'resume', checkpoint: number) =>
    owner.stepTo(name, checkpoint, ['main/sequencer/cl']);
  await expect(step('remember', 1)).rejects.toThrow('main/sequencer/cl did not go to the moment of the snapshot');
  let value = 1;
  clock.onCheckpoints(
    createCheckpoints<number>({
      take: () => value,
      suspend() {},
      restore(then) {
        value = then;
      },
      resume() {},
    }),
  );
  await step('remember', 1);
  value = 2;
  await step('suspend', 1);
  await step('goBack', 1);
  await step('resume', 1);
  expect(value).toBe(1);
  await expect(step('suspend', 2)).rejects.toThrow('does not know checkpoint 2');
  await expect(owner.stepTo('suspend', 1, ['main/verifier/cl'])).rejects.toThrow('main/verifier/cl');
});

it('the owner gives a hint when a program cannot write its state', async () => {
  await using one = await owned(standing(5000));
  await waitFor(one.owner, () => one.owner.reports().size === 1);
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  one.clock.onKeep(() => Promise.reject(new Error('cannot write l1-state.json', { cause })));
  await expect(one.owner.keep()).rejects.toThrow(
    /main\/sequencer\/cl did not write its state: cannot write l1-state.json: ENOSPC.*\n {2}free some space/,
  );
});

it('a program hands an order for a checkpoint of the whole network to the owner', async () => {
  await using one = await owned(standing(1000));
  const { owner, clock } = one;
  await waitFor(owner, () => owner.reports().has('main/sequencer/cl'));
  await expect(clock.checkpoint?.({ action: 'take' })).rejects.toThrow('still starting');
  owner.serveCheckpoints(async (order) => (order.action === 'take' ? 7 : order.number));
  expect(await clock.checkpoint?.({ action: 'take' })).toBe(7);
  expect(await clock.checkpoint?.({ action: 'revert', number: 3 })).toBe(3);
});

it('a wait ends when the clock moves back', async () => {
  await using one = await owned(standing(HOUR));
  const { owner, clock } = one;
  await waitFor(owner, () => owner.reports().has('main/sequencer/cl'));
  const resting = rest(clock, clock.activity(), HOUR, new AbortController().signal);
  owner.push(standing(HOUR - 1), { watched: false });
  await resting;
  expect(clock.now()).toBe(HOUR - 1);
});
