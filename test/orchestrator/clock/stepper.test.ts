import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ClockServer, serveClock } from '../../../src/orchestrator/clock/clock-server.ts';
import type { Follower } from '../../../src/orchestrator/clock/settle.ts';
import { stepper } from '../../../src/orchestrator/clock/stepper.ts';
import type { Progress } from '../../../src/system/time/progress.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

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
    serveCheckpoints: () => {},
    stepTo: async () => {},
    keep: async () => {},
    close: async () => {},
  } as ClockServer & { step: number };
}

/** Kinds of tasks that are all up. */
const kindIn = (followers: () => readonly Follower[]) => (task: string) =>
  followers().find((follower) => follower.task === task)?.kind;

it('a verifier that gossip does not reach after it has derived all of L1 is left behind', async () => {
  const clock = server();
  let looks = 0;
  const followers = (): readonly Follower[] => {
    const report = (progress: Progress) => ({ step: clock.step, progress });
    looks++;
    return [
      {
        task: 'l1-beacon',
        kind: 'beacon',
        chain: undefined,
        isSequencer: false,
        report: report({ kind: 'beacon', l1: 'a', number: 1 }),
      },
      {
        task: 'sequencer',
        kind: 'cl',
        chain: 'main',
        isSequencer: true,
        report: report({ kind: 'rollup', l1: 'a', unsafe: 'x', number: 1, derived: true }),
      },
      {
        task: 'verifier',
        kind: 'cl',
        chain: 'main',
        isSequencer: false,
        report: report({ kind: 'rollup', l1: 'a', unsafe: 'w', number: 1, derived: looks > 4 }),
      },
    ];
  };
  await stepper({ server: clock, followers, kindOf: kindIn(followers), isStrict: false }).step(1000);
  expect(clock.step).toBe(1);
});

it('a quick step makes blocks of L2 beside the batcher, and a block of L1 after it', async () => {
  const reached: Record<string, number> = { 'l1-beacon': 0, sequencer: 0, batcher: 0 };
  const kinds = { 'l1-beacon': 'beacon', sequencer: 'cl', batcher: 'batcher' } as const;
  const record: string[] = [];
  let changed: () => void = () => {};
  let [step, isBatcherSlow] = [0, true];
  const server = {
    push(_: unknown, { isSameStep = false, to }: { isSameStep?: boolean; to: (task: string) => boolean }) {
      if (!isSameStep) step++;
      for (const task of Object.keys(kinds).filter(to)) {
        record.push(`${task} ${step}`);
        if (task !== 'batcher' || !isBatcherSlow) reached[task] = step;
      }
      return step;
    },
    onChange(listener: () => void) {
      changed = listener;
      return () => {};
    },
  } as unknown as ClockServer;
  const followers = () =>
    Object.entries(kinds).map(([task, kind]): Follower => {
      const progress: Progress =
        kind === 'cl'
          ? { kind: 'rollup', l1: 'a', unsafe: 'x', number: 1, derived: true }
          : kind === 'beacon'
            ? { kind, l1: 'a', number: 1 }
            : { kind: 'poster' };
      const report = { step: reached[task] ?? 0, progress };
      return { task, kind, chain: 'main', isSequencer: kind === 'cl', report };
    });
  const steps = stepper({ server, followers, kindOf: kindIn(followers), isStrict: false });
  await steps.step(1000);
  const second = steps.step(2000);
  expect(record).toEqual(['sequencer 1', 'l1-beacon 1', 'batcher 1', 'sequencer 2']);
  isBatcherSlow = false;
  reached['batcher'] = 1;
  changed();
  await second;
  await steps.settle();
  expect(record.slice(4)).toEqual(['l1-beacon 2', 'batcher 2']);
});

it('a process that connects within a step, before it is ready, gets the next step', async () => {
  using folder = temporaryHome();
  const [file, path] = [join(folder.home, 'clock.json'), join(folder.home, 'clock.sock')];
  const standing = { at: 0, wall: Date.now(), rate: 0 };
  const server = await serveClock(path, standing);
  writeFileSync(file, JSON.stringify({ ...standing, socket: path }));
  const followed = new URL('follower.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [followed, file, 'main/batcher'], { stdio: 'ignore' });
  try {
    await expect.poll(() => server.reports().has('main/batcher')).toBe(true);
    let isReady = false;
    const followers = () =>
      [...server.reports()].flatMap(([task, report]): Follower[] =>
        isReady ? [{ task, kind: 'batcher', chain: 'main', isSequencer: false, report }] : [],
      );
    const kindOf = () => 'batcher' as const;
    const { step, settle } = stepper({ server, followers, kindOf, isStrict: false, stallAfter: 2000 });
    await step(1000);
    isReady = true;
    await settle();
    expect(server.reports().get('main/batcher')?.step).toBe(2);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await server.close();
  }
});

it('a process that is frozen within a warp ends it with its name; one that goes on has not lost the step', async () => {
  using folder = temporaryHome();
  const [file, path] = [join(folder.home, 'clock.json'), join(folder.home, 'clock.sock')];
  const standing = { at: 0, wall: Date.now(), rate: 0 };
  const clock = await serveClock(path, standing);
  writeFileSync(file, JSON.stringify({ ...standing, socket: path }));
  const followed = new URL('follower.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [followed, file, 'main/batcher'], { stdio: 'ignore' });
  try {
    await new Promise<void>((resolve) => {
      const look = () => clock.reports().has('main/batcher') && resolve();
      clock.onChange(look);
    });
    const followers = () =>
      [...clock.reports()].map(([task, report]): Follower => {
        return { task, kind: 'batcher', chain: 'main', isSequencer: false, report };
      });
    await stepper({ server: clock, followers, kindOf: kindIn(followers), isStrict: true }).step(1000);
    child.kill('SIGSTOP');
    const { step, settle } = stepper({
      server: clock,
      followers,
      kindOf: kindIn(followers),
      isStrict: true,
      stallAfter: 100,
    });
    await expect(step(2000)).rejects.toThrow('not done within 0.1 s: main/batcher is busy');
    child.kill('SIGCONT');
    await stepper({ server: clock, followers, kindOf: kindIn(followers), isStrict: true }).step(3000);
    await settle();
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await clock.close();
  }
});
