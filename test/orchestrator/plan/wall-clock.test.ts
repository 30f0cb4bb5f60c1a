import { expect, it } from 'vitest';
import type { ChannelServer } from '../../../src/orchestrator/channel/channel-server.ts';
import { TimeControl } from '../../../src/orchestrator/clock/time-control.ts';
import { wallClockNotice } from '../../../src/orchestrator/plan/wall-clock.ts';
import { planOf } from './planned.ts';

const SPEC = `chains:
  main:
    nodes:
      sequencer: { role: sequencer }
      verifier: { cl: { client: op-node, binary: /bin/op-node } }`;

const NAMED = "main/verifier/cl (op-node) reads the machine's clock: this network's time cannot be moved";

it('the plan of a network names the client whose clock cannot be moved', () => {
  expect(planOf(SPEC).notices).toContainEqual(expect.stringContaining(NAMED));
  expect(planOf('{}').notices.join()).not.toContain("the machine's clock");
});

it('a warp and a pause of that network are refused with the name of the client, before any step', async () => {
  const channel = { clock: { state: () => ({ at: 0, wall: 0, rate: 1 }) } } as unknown as ChannelServer;
  const time = new TimeControl({
    plan: () => planOf(SPEC),
    tasks: new Map(),
    channel,
    emit: () => {},
    late: Promise.resolve(),
    keep: () => {},
    signal: new AbortController().signal,
  });
  await expect(time.warp(Date.now() + 60_000)).rejects.toThrow(NAMED);
  expect(() => time.pause()).toThrow(NAMED);
});

it('the notice names each process that reads the clock of the machine, with its client', () => {
  const task = (id: string, clock: 'wall' | 'network' | 'none') => ({ id, client: `${id}-client`, clock });
  expect(wallClockNotice([task('a', 'network'), task('b', 'none')])).toBeUndefined();
  expect(wallClockNotice([task('a', 'network'), task('b', 'wall')])).toMatch(
    /^b \(b-client\) reads the machine's clock/,
  );
  expect(wallClockNotice([task('a', 'wall'), task('b', 'wall')])).toMatch(
    /^a \(a-client\), b \(b-client\) read the machine's clock/,
  );
});
