import { expect, it } from 'vitest';
import type { ClockServer } from '../../../../src/orchestrator/run/clock/clock-server.ts';
import type { Follower } from '../../../../src/orchestrator/run/clock/settle.ts';
import { stepper } from '../../../../src/orchestrator/run/clock/stepper.ts';

/** A server whose processes follow each step at once. */
function server(): ClockServer & { step: number } {
  return {
    step: 0,
    state: () => ({ at: 0, wall: 0, rate: 0 }),
    push(_, { isSameStep = false }) {
      if (!isSameStep) this.step++;
      return this.step;
    },
    reports: () => new Map(),
    onChange: () => () => {},
    serveMoves: () => {},
    close: async () => {},
  } as ClockServer & { step: number };
}

it('a verifier that gossip does not reach after it has derived all of L1 is left behind', async () => {
  const clock = server();
  let looks = 0;
  const followers = (): readonly Follower[] => {
    const report = (seen: NonNullable<Follower['report']>['seen']) => ({ step: clock.step, seen });
    looks++;
    return [
      { task: 'l1-beacon', kind: 'beacon', chain: undefined, isSequencer: false, report: report({ l1: 'a' }) },
      {
        task: 'sequencer',
        kind: 'cl',
        chain: 'main',
        isSequencer: true,
        report: report({ l1: 'a', unsafe: 'x', derived: true }),
      },
      {
        task: 'verifier',
        kind: 'cl',
        chain: 'main',
        isSequencer: false,
        report: report({ l1: 'a', unsafe: 'w', derived: looks > 10 }),
      },
    ];
  };
  await stepper(clock, followers, false).step(1000);
  expect(clock.step).toBe(1);
});
