import { expect, it } from 'vitest';
import { BusiestTask } from '../../../src/orchestrator/health/busiest-task.ts';

type Round = readonly [ran: Readonly<Record<string, number>>, ms: number];

const FULL: Round = [{ a: 1000 }, 1000];
const BOTH = new Set(['a', 'b']);

it.each<[name: string, task: string | undefined, tasks: ReadonlySet<string>, ...rounds: Round[]]>([
  ['no task after one round of a full processor', undefined, BOTH, FULL],
  ['a task after two rounds of a full processor', 'a', BOTH, FULL, FULL],
  ['a task at half a processor', 'a', BOTH, [{ a: 5 }, 3]],
  ['no task that is absent in the last round', undefined, BOTH, FULL, FULL, [{}, 1000]],
  ['no task that uses 40 % of a processor', undefined, BOTH, ...Array<Round>(40).fill([{ a: 400 }, 1000])],
  ['a task that uses 60 % of a processor', 'a', BOTH, ...Array<Round>(40).fill([{ a: 600 }, 1000])],
  ['the busier one of two', 'b', BOTH, [{ a: 2000, b: 3000 }, 1000]],
  ['the busier one of two, if it comes first', 'a', BOTH, [{ a: 3000, b: 2000 }, 1000]],
  ['the one that is asked for', 'a', new Set(['a']), [{ a: 2000, b: 3000 }, 1000]],
  ['no task by a round without a length', undefined, BOTH, [{ a: 1000 }, 0], [{ a: 1000 }, -1000]],
])('the busiest task is %s', (_, task, tasks, ...rounds) => {
  const busiest = new BusiestTask();
  for (const [ran, ms] of rounds) busiest.used(new Map(Object.entries(ran)), ms);
  expect(busiest.among(tasks)).toBe(task);
});
