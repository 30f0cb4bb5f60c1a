import { expect, it, vi } from 'vitest';
import { showTasks, taskLine } from '../../../src/orchestrator/terminal/task-list.ts';

it('the task list names the tasks that still run less and less often without a terminal', async () => {
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
    await vi.advanceTimersByTimeAsync(169_000);
    expect(lines).toEqual(
      ['5 s', '10 s', '20 s', '40 s', '1 min 20 s', '2 min 20 s'].map(
        (span) => `still stopping (${span}): b (slow), c\n`,
      ),
    );
    work.resolve(7);
    expect(await result).toBe(7);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['starting', 80, 'main/s/el  starting'],
  ['waits for\n  main/s/cl', 80, 'main/s/el  waits for main/s/cl'],
  ['x'.repeat(500), 40, `main/s/el  ${'x'.repeat(25)}…`],
])('a task with the detail %j is one line of %d columns', (detail, columns, line) => {
  expect(taskLine('main/s/el', detail, columns)).toBe(line);
});
