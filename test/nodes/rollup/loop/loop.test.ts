import { afterEach, describe, expect, it } from 'vitest';
import { backgroundJob } from '../../../../src/nodes/rollup/loop/background-job.ts';
import { type Deriver, EventLoop, type NextStep } from '../../../../src/nodes/rollup/loop/loop.ts';
import { UNSUPERVISED } from '../../../../src/system/channel/channel.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { manualClock, settle } from '../support/clock.ts';

const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** A deriver that returns steps from a list, then waits for an event. */
function part(name: string, answers: NextStep[], trace: string[]): Deriver {
  return {
    name,
    async step() {
      trace.push(name);
      return answers.shift() ?? null;
    },
  };
}

describe('the driver loop', () => {
  it('steps every deriver in order, again while one has work, and then idles', async () => {
    const trace: string[] = [];
    new EventLoop([part('a', ['again'], trace), part('b', [], trace)], manualClock(0), silent, stopping.signal);
    await settle();
    expect(trace).toEqual(['a', 'b', 'a', 'b']);
    await settle();
    expect(trace).toHaveLength(4);
  });

  it('steps at the earliest time that a deriver requests, by the network clock', async () => {
    const trace: string[] = [];
    const clock = manualClock(1000);
    new EventLoop(
      [part('a', [900_000, 900_000, 900_000], trace), part('b', [500_000], trace)],
      clock,
      silent,
      stopping.signal,
    );
    await settle();
    expect(trace).toHaveLength(2);
    clock.moveTo(500_000);
    await settle();
    expect(trace).toHaveLength(4);
  });

  it('is woken by an event, also by one that comes during a step', async () => {
    const trace: string[] = [];
    const loop = new EventLoop([part('a', [], trace)], manualClock(0), silent, stopping.signal);
    await settle();
    loop.wake();
    loop.wake();
    await settle();
    expect(trace).toHaveLength(2);
  });

  it('runs a task between two steps, never beside one', async () => {
    let isStepping = false;
    let overlaps = 0;
    const slow: Deriver = {
      name: 'slow',
      async step() {
        isStepping = true;
        await settle();
        isStepping = false;
        return null;
      },
    };
    const loop = new EventLoop([slow], manualClock(0), silent, stopping.signal);
    const check = async () => {
      if (isStepping) overlaps++;
      return 'done';
    };
    expect(await Promise.all([loop.run(check), loop.run(check)])).toEqual(['done', 'done']);
    await expect(loop.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(overlaps).toBe(0);
  });

  it('ends with the error of a deriver', async () => {
    const broken: Deriver = { name: 'broken', step: () => Promise.reject(new Error('the chain is another one')) };
    await expect(new EventLoop([broken], manualClock(0), silent, stopping.signal).done).rejects.toThrow(
      'the chain is another one',
    );
  });

  it('ends on a stop while it idles', async () => {
    const loop = new EventLoop([part('a', [], [])], manualClock(0), silent, stopping.signal);
    await settle();
    stopping.abort();
    await expect(loop.done).resolves.toBeUndefined();
  });
});

describe('a job aside', () => {
  it('returns its result once and reports when it is there', async () => {
    let notices = 0;
    const job = backgroundJob<number>(() => notices++, UNSUPERVISED.activity());
    job.start(async () => 7);
    expect(job.isRunning).toBe(true);
    await settle();
    expect([notices, job.isRunning]).toEqual([1, false]);
    expect(job.take()).toEqual({ ok: true, value: 7 });
    expect(job.take()).toBeUndefined();
  });

  it('returns no result after it was cancelled', async () => {
    const job = backgroundJob<number>(() => {}, UNSUPERVISED.activity());
    job.start(async () => 7);
    job.cancel();
    job.start(async () => {
      throw new Error('later');
    });
    await settle();
    expect(job.take()).toMatchObject({ ok: false, error: { message: 'later' } });
    job.start(async () => 8);
    await job.discard();
    expect(job.take()).toBeUndefined();
  });
});
