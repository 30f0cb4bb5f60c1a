import { expect, it } from 'vitest';
import type { ChannelServer } from '../../../src/orchestrator/channel/channel-server.ts';
import { TimeControl } from '../../../src/orchestrator/clock/time-control.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import { quickPlanOf } from '../plan/planned.ts';

/** A clock that is stepped, and an l1-beacon that is never done with a step. A process has 10 ms for one. */
function busyNetwork(): TimeControl {
  const task = { id: 'l1-beacon', kind: 'beacon', clock: 'network', needs: [] };
  const report = { step: 0, progress: { kind: 'beacon', l1: 'a', number: 1 } };
  const plan = quickPlanOf('time: { clock: stepped }');
  const state = { at: (plan.genesisTime + 60) * 1000, wall: 0, rate: 0 };
  const channel = {
    clock: { state: () => state, push: () => 1 },
    quiesce: { onChange: () => () => {}, reports: () => new Map([['l1-beacon', report]]) },
  } as unknown as ChannelServer;
  return new TimeControl({
    plan: () => plan,
    tasks: new Map([['l1-beacon', { task, phase: 'ready' } as unknown as LiveTask]]),
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
