import { spawn } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { ProcessorUse } from '../../../src/orchestrator/health/processor-use.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';

/** A task that runs as these processes, or whose last one has ended. */
const task = (id: string, pids: readonly number[], exit?: LiveTask['exit']) =>
  ({ task: { id }, running: { processes: () => pids }, exit }) as unknown as LiveTask;

it('the processor time of a task counts all its processes, whatever it runs in', async () => {
  const loops = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    const pids = loops.map(({ pid = 0 }) => pid);
    const tasks = [task('both', pids), task('first', pids.slice(0, 1)), task('unknown', [])];
    const use = new ProcessorUse();
    use.since(tasks);
    const sums = { both: 0, first: 0 };
    await vi.waitFor(
      () => {
        const { ran, starved } = use.since(tasks);
        expect(starved).toBeGreaterThanOrEqual(0);
        expect(ran.has('unknown')).toBe(false);
        sums.both += ran.get('both') ?? 0;
        sums.first += ran.get('first') ?? 0;
        expect(sums.first).toBeGreaterThan(50);
        expect(sums.both - sums.first).toBeGreaterThan(50);
      },
      { timeout: 60_000, interval: 20 },
    );
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
});

describe('the use of processors', () => {
  /** Milliseconds that the threads of each process ran and waited. */
  type Times = Record<number, Record<string, readonly [ran: number, waited: number]>>;

  /** Returns the uses after the first one, between these times. */
  function usesOf(tasks: readonly (readonly LiveTask[])[], times: readonly Times[]) {
    let now: Times = {};
    const use = new ProcessorUse(
      (pid) => new Map(Object.entries(now[pid] ?? {}).map(([thread, [ran, waited]]) => [thread, { ran, waited }])),
    );
    return times.map((each, at) => {
      now = each;
      const { ran, starved } = use.since(tasks[at] ?? tasks[0] ?? []);
      return { ran: Object.fromEntries(ran), starved };
    });
  }

  it('is none at first, then what all threads of a task ran, and the longest wait of any', () => {
    const tasks = [task('a', [1, 2]), task('b', [3])];
    const first = { 1: { x: [100, 50] }, 2: { y: [10, 5], z: [0, 7] }, 3: { w: [30, 40] } } as const;
    const next = { 1: { x: [107, 51] }, 2: { y: [12, 14], z: [1, 7] }, 3: { w: [33, 42] } } as const;
    expect(usesOf([tasks], [first, next, next])).toEqual([
      { ran: { a: 0, b: 0 }, starved: 0 },
      { ran: { a: 10, b: 3 }, starved: 9 },
      { ran: { a: 0, b: 0 }, starved: 0 },
    ]);
  });

  it('counts a thread from the call at which it is there, also when it comes back', () => {
    const [one, two] = [{ 1: { x: [1, 1] } }, { 1: { x: [5, 4], y: [9, 9] } }] as const;
    expect(usesOf([[task('a', [1])]], [one, two, { 1: { y: [10, 9] } }, { 1: { x: [8, 8], y: [12, 9] } }])).toEqual([
      { ran: { a: 0 }, starved: 0 },
      { ran: { a: 4 }, starved: 3 },
      { ran: { a: 1 }, starved: 0 },
      { ran: { a: 2 }, starved: 0 },
    ]);
  });

  it('has no task without a process, and none whose process has ended', () => {
    const ended = task('ended', [1], { code: 0, signal: null });
    const waiting = { task: { id: 'waiting' } } as unknown as LiveTask;
    const times = { 1: { x: [1, 1] }, 2: { y: [2, 2] } } as const;
    expect(usesOf([[ended, waiting, task('none', []), task('a', [2])]], [times])).toEqual([
      { ran: { a: 0 }, starved: 0 },
    ]);
  });
});
