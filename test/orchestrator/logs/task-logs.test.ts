import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { logFilesOf, logLines } from '../../../src/orchestrator/logs/task-logs.ts';
import type { Task } from '../../../src/orchestrator/plan/plan.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';

it('the logs of tasks are listed once, under the first task that writes them', () => {
  const tasks = ['a /1.log', 'b /2.log', 'c /1.log'].map((words) => {
    const [id, log] = words.split(' ');
    return { id, log } as Task;
  });
  expect(logFilesOf(tasks)).toEqual([
    { task: 'a', path: '/1.log' },
    { task: 'b', path: '/2.log' },
  ]);
  expect(logFilesOf([])).toEqual([]);
});

it('the lines of the logs of tasks have no secrets, and are those that are asked for', () => {
  using folder = temporaryHome();
  const key = 'ab'.repeat(32);
  const plan = fixturePlan(folder.home, 'one', [{ port: 1 }], { batcher: { secrets: [key] } });
  const [el, batcher] = plan.tasks as [Task, Task];
  mkdirSync(dirname(el.log), { recursive: true });
  writeFileSync(el.log, `2026-01-01T00:00:01Z started with hush\n2026-01-01T00:00:03Z imported\n`);
  writeFileSync(batcher.log, `2026-01-01T00:00:02Z key 0x${key}\n`);
  expect(logLines(plan, plan.tasks)).toEqual([
    'main/node-0/el  2026-01-01T00:00:01Z started with [redacted]',
    'batcher  2026-01-01T00:00:02Z key 0x[redacted]',
    'main/node-0/el  2026-01-01T00:00:03Z imported',
  ]);
  expect(logLines(plan, [batcher])).toEqual(['2026-01-01T00:00:02Z key 0x[redacted]']);
  expect(logLines(plan, [el], { grep: /imp/ })).toEqual(['2026-01-01T00:00:03Z imported']);
  expect(logLines(plan, plan.tasks, { since: Date.parse('2026-01-01T00:00:02Z') })).toHaveLength(2);
  expect(logLines(plan, plan.tasks, { since: Date.parse('2026-01-01T00:00:03Z'), grep: /key/ })).toEqual([]);
});
