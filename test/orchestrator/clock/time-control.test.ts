import { afterEach, expect, it, vi } from 'vitest';
import type { ChannelServer } from '../../../src/orchestrator/channel/channel-server.ts';
import { TimeControl } from '../../../src/orchestrator/clock/time-control.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import type { ClockState } from '../../../src/system/time/clock.ts';
import { quickPlanOf } from '../plan/planned.ts';

afterEach(() => void vi.useRealTimers());

/** A task that the clock of a network reaches. */
const BEACON = {
  task: { id: 'l1-beacon', kind: 'beacon', clock: 'network', needs: [] },
  phase: 'ready',
} as unknown as LiveTask;

/** A clock that is stepped, and an l1-beacon that is never done with a step. A process has 10 ms for one. */
function busyNetwork(): TimeControl {
  const report = { step: 0, progress: { kind: 'beacon', l1: 'a', number: 1 } };
  const plan = quickPlanOf('time: { clock: stepped }');
  const state = { at: (plan.genesisTime + 60) * 1000, wall: 0, rate: 0 };
  const channel = {
    clock: { state: () => state, push: () => 1 },
    quiesce: { onChange: () => () => {}, reports: () => new Map([['l1-beacon', report]]) },
  } as unknown as ChannelServer;
  return new TimeControl({
    plan: () => plan,
    tasks: new Map([['l1-beacon', BEACON]]),
    channel,
    emit: () => {},
    late: Promise.resolve(),
    keep: () => {},
    patience: 0.0005,
    signal: new AbortController().signal,
  });
}

it('a process has three times the wall time of a step when it was just started', async () => {
  const time = busyNetwork();
  await expect(time.step()).rejects.toThrow('not done within 0.01 s: l1-beacon is busy');
  await expect(time.settle()).rejects.toThrow('not done within 0.03 s: l1-beacon is busy');
});

it('a warp keeps the clock for a later start while it moves it, as its supervisor can be killed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const plan = quickPlanOf('l1: { blockTime: 2 }');
  let state: ClockState = { at: (plan.genesisTime + 60) * 1000, wall: 0, rate: 0 };
  let step = 0;
  /** Times (ms) at each step of the clock, and those that are kept. */
  const moves: number[] = [];
  const kept: number[] = [];
  const channel = {
    clock: {
      state: () => state,
      push(next: ClockState) {
        state = next;
        moves.push(next.at);
        // A step takes 50 ms.
        vi.advanceTimersByTime(50);
        return ++step;
      },
    },
    quiesce: {
      onChange: () => () => {},
      reports: () => new Map([['l1-beacon', { step, progress: { kind: 'beacon', l1: `${step}`, number: step } }]]),
    },
  } as unknown as ChannelServer;
  const time = new TimeControl({
    ...{ plan: () => plan, tasks: new Map([['l1-beacon', BEACON]]), channel, emit: () => {}, isPaused: true },
    ...{ late: Promise.resolve(), keep: ({ at }) => void kept.push(at), signal: new AbortController().signal },
  });
  await time.warp(state.at + 60_000);
  const positions = [0, ...kept.map((at) => moves.indexOf(at))];
  expect(positions.length).toBeGreaterThan(5);
  for (const [index, position] of positions.slice(1).entries())
    expect(position - (positions[index] ?? 0)).toBeLessThanOrEqual(6);
});
