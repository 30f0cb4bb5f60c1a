import { expect, it, vi } from 'vitest';
import { showTasks } from '../../../src/orchestrator/terminal/task-list.ts';

it('the task list names the tasks that still run every five seconds without a terminal', async () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const io = {
      stdout: () => undefined,
      stderr: (line: string) => lines.push(line),
      env: {},
      cwd: '/',
      isTty: false,
    };
    const work = Promise.withResolvers<number>();
    const result = showTasks(io, 'stopping', ['a', 'b', 'c'], async (list) => {
      list.done('a');
      list.detail('b', 'slow');
      return work.promise;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(lines).toEqual(['still stopping (5 s): b (slow), c\n', 'still stopping (10 s): b (slow), c\n']);
    work.resolve(7);
    expect(await result).toBe(7);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
