import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveChannel } from '../../../src/orchestrator/channel/channel-server.ts';
import type { Follower } from '../../../src/orchestrator/clock/settle.ts';
import { Stepper, type StepperOptions } from '../../../src/orchestrator/clock/stepper.ts';
import type { Progress } from '../../../src/system/channel/progress.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

/** A channel whose processes follow each step at once. */
function instantChannel() {
  let step = 0;
  return {
    step: () => step,
    clock: {
      push(_: unknown, { isSameStep = false }) {
        if (!isSameStep) step++;
        return step;
      },
    },
    quiesce: { onChange: () => () => {} },
  };
}

/** Kinds of tasks that are all up. */
const kindIn = (followers: () => readonly Follower[]) => (task: string) =>
  followers().find((follower) => follower.task === task)?.kind;

it('a verifier that gossip does not reach after it has derived all of L1 is left behind', async () => {
  const channel = instantChannel();
  let looks = 0;
  const followers = (): readonly Follower[] => {
    const report = (progress: Progress) => ({ step: channel.step(), progress });
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
  await new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict: false }).step(1000);
  expect(channel.step()).toBe(1);
});

it.each([true, false])(
  'a process whose links are cut is left behind, and waited for again after that (strict: %j)',
  async (isStrict) => {
    const channel = instantChannel();
    let severed: Follower['severed'] = 'more';
    let isDone = false;
    const followers = (): readonly Follower[] => {
      const verifier = { kind: 'rollup', l1: 'old', unsafe: 'x', number: 1, derived: false } as const;
      const done = { ...verifier, l1: 'a', derived: true };
      const report = (progress: Progress) => ({ step: channel.step(), progress });
      const common = { chain: 'main', isSequencer: false };
      return [
        { ...common, task: 'l1-beacon', kind: 'beacon', report: report({ kind: 'beacon', l1: 'a', number: 1 }) },
        { ...common, task: 'sequencer', kind: 'cl', isSequencer: true, report: report(done) },
        { ...common, task: 'verifier', kind: 'cl', severed, report: report(isDone ? done : verifier) },
      ];
    };
    const stepper = new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict, stallAfterMs: 2000 });
    await stepper.step(1000);
    await stepper.step(2000);
    severed = undefined;
    await expect(stepper.step(3000)).rejects.toThrow("verifier does not know L1's newest block");
    isDone = true;
    await stepper.step(4000);
  },
);

/** A network at rest. `unsafe`: the head of its verifier; that of its sequencer is x. */
const restingNetwork =
  (channel: ReturnType<typeof instantChannel>, unsafe: () => string) => (): readonly Follower[] => {
    const report = (progress: Progress) => ({ step: channel.step(), progress });
    const rollup = (head: string) => report({ kind: 'rollup', l1: 'a', unsafe: head, number: 1, derived: true });
    const beacon = { kind: 'beacon', l1: 'a', number: 1 } as const;
    return [
      { task: 'l1-beacon', kind: 'beacon', chain: undefined, isSequencer: false, report: report(beacon) },
      { task: 'sequencer', kind: 'cl', chain: 'main', isSequencer: true, report: rollup('x') },
      { task: 'verifier', kind: 'cl', chain: 'main', isSequencer: false, report: rollup(unsafe()) },
    ];
  };

it.each([true, false])(
  'a verifier that gossip does not reach is left behind by later moves too, until it has the head (strict: %j)',
  async (isStrict) => {
    const channel = instantChannel();
    let unsafe = 'w';
    const followers = restingNetwork(channel, () => unsafe);
    const apart = new Set<string>();
    const common = { channel, followers, kindOf: kindIn(followers), isStrict, apart };
    await new Stepper({ ...common, patience: 0.01 }).step(1000);
    expect([...apart]).toEqual(['verifier']);
    // Alone, this one would wait for gossip for eleven days.
    await new Stepper({ ...common, patience: 1e6, stallAfterMs: 20_000 }).step(2000);
    unsafe = 'x';
    await new Stepper(common).step(3000);
    expect([...apart]).toEqual([]);
  },
);

it('patience multiplies the time in which a process must be done with a step', async () => {
  const channel = instantChannel();
  const followers = () =>
    restingNetwork(channel, () => 'x')().map((each) =>
      each.task === 'verifier' && each.report !== undefined ? { ...each, report: { ...each.report, step: 0 } } : each,
    );
  const stepper = new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict: true, patience: 0.005 });
  await expect(stepper.step(1000)).rejects.toThrow('not done within 0.1 s: verifier is busy');
});

it('a quick step makes blocks of L2 beside the batcher, and a block of L1 after it', async () => {
  const reached: Record<string, number> = { 'l1-beacon': 0, sequencer: 0, batcher: 0 };
  const kinds = { 'l1-beacon': 'beacon', sequencer: 'cl', batcher: 'batcher' } as const;
  const record: string[] = [];
  let changed: () => void = () => {};
  let [step, isBatcherSlow] = [0, true];
  const channel: StepperOptions['channel'] = {
    clock: {
      push(_, { isSameStep = false, to = () => true }) {
        if (!isSameStep) step++;
        for (const task of Object.keys(kinds).filter(to)) {
          record.push(`${task} ${step}`);
          if (task !== 'batcher' || !isBatcherSlow) reached[task] = step;
        }
        return step;
      },
    },
    quiesce: {
      onChange(listener) {
        changed = listener;
        return () => {};
      },
    },
  };
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
  const steps = new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict: false });
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
  const channel = await serveChannel(path, standing);
  writeFileSync(file, JSON.stringify({ ...standing, socket: path }));
  const followed = new URL('follower.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [followed, file, 'main/batcher'], { stdio: 'ignore' });
  try {
    await expect.poll(() => channel.quiesce.reports().has('main/batcher')).toBe(true);
    let isReady = false;
    const followers = () =>
      [...channel.quiesce.reports()].flatMap(([task, report]): Follower[] =>
        isReady ? [{ task, kind: 'batcher', chain: 'main', isSequencer: false, report }] : [],
      );
    const kindOf = () => 'batcher' as const;
    const steps = new Stepper({ channel, followers, kindOf, isStrict: false, stallAfterMs: 2000 });
    await steps.step(1000);
    isReady = true;
    await steps.settle();
    expect(channel.quiesce.reports().get('main/batcher')?.step).toBe(2);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await channel.close();
  }
});

it('a process that is frozen within a warp ends it with its name; one that goes on has not lost the step', async () => {
  using folder = temporaryHome();
  const [file, path] = [join(folder.home, 'clock.json'), join(folder.home, 'clock.sock')];
  const standing = { at: 0, wall: Date.now(), rate: 0 };
  const channel = await serveChannel(path, standing);
  writeFileSync(file, JSON.stringify({ ...standing, socket: path }));
  const followed = new URL('follower.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [followed, file, 'main/batcher'], { stdio: 'ignore' });
  try {
    await new Promise<void>((resolve) => {
      const look = () => channel.quiesce.reports().has('main/batcher') && resolve();
      channel.quiesce.onChange(look);
    });
    const followers = () =>
      [...channel.quiesce.reports()].map(([task, report]): Follower => {
        return { task, kind: 'batcher', chain: 'main', isSequencer: false, report };
      });
    await new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict: true }).step(1000);
    child.kill('SIGSTOP');
    const steps = new Stepper({
      channel,
      followers,
      kindOf: kindIn(followers),
      isStrict: true,
      stallAfterMs: 100,
    });
    await expect(steps.step(2000)).rejects.toThrow('not done within 0.1 s: main/batcher is busy');
    child.kill('SIGCONT');
    await new Stepper({ channel, followers, kindOf: kindIn(followers), isStrict: true }).step(3000);
    await steps.settle();
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await channel.close();
  }
});
