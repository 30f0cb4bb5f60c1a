import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { expect, it, vi } from 'vitest';
import { showTasks, taskLine } from '../../../src/orchestrator/terminal/task-list.ts';
import { program } from '../supervisor/fixture-plan.ts';

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
  ['x'.repeat(500), 40, `main/s/el  ${'x'.repeat(24)}…`],
])('a task with the detail %j is one line of %d columns', (detail, columns, line) => {
  expect(taskLine('main/s/el', detail, columns)).toBe(line);
});

/** Draws so many tasks on a terminal of 80 columns and 12 rows. Returns all lines that it received, without blanks. */
async function drawnLines(count: number): Promise<readonly string[]> {
  const typescript = join(tmpdir(), `devnet-drawn-${process.pid}-${count}`);
  const line = `stty cols 80 rows 12; exec ${process.execPath} ${program('drawn-tasks.ts')} ${count}`;
  await execa('script', ['-qefc', line, typescript], { stdin: 'ignore', extendEnv: true });
  const text = readFileSync(typescript, 'utf8');
  rmSync(typescript);
  const lines = text
    .split(/\r?\n/)
    .slice(1, -1)
    .map((each) => stripVTControlCharacters(each).trimEnd());
  return lines.filter((each) => each !== '' && !each.startsWith('Script done'));
}

it('the task list takes one line for each task on a terminal, however long its detail is', async () => {
  const lines = await drawnLines(4);
  expect(lines.some((each) => /^\S main\/node-3\/el {2}has the genesis block.*…$/.test(each))).toBe(true);
  expect(lines.filter((each) => !/^(\S main\/node-\d\/el| {2}› exited with code 3$)/.test(each))).toEqual([]);
  expect(lines.at(-1)).toBe('  › exited with code 3');
});

it('the task list is one line on a terminal that has no row for each task', async () => {
  const lines = await drawnLines(30);
  expect(lines.some((each) => /^\S all 30 {2}29 done, now main\/node-29\/el: has the.*…$/.test(each))).toBe(true);
  expect(lines.slice(-2)).toEqual(['✖ all 30', '  › main/node-29/el: exited with code 3']);
  expect(lines.filter((each) => !/^(\S all 30| {2}› main)/.test(each))).toEqual([]);
});
