import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { logRows } from '../../../src/orchestrator/dashboard/log-lines.ts';
import type { Plan, Task } from '../../../src/orchestrator/plan/plan.ts';
import { planOf } from '../plan/planned.ts';

const SECRET = 'cd'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'devnet-log-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A plan with two tasks, whose logs have these lines. */
function planWith(one: readonly string[], two: readonly string[]): Plan {
  const plan = planOf('{}');
  const tasks = plan.tasks.slice(0, 2).map((task, at): Task => {
    const log = join(folder, `${at}.log`);
    writeFileSync(log, `${(at === 0 ? one : two).join('\n')}\n`);
    return { ...task, id: at === 0 ? 'one' : 'two', log, secrets: [SECRET] };
  });
  return { ...plan, tasks };
}
const line = (second: number, words: string) => `t=2026-11-27T10:00:0${second}.000Z ${words}`;
const texts = (plan: Plan, text = '', level = 'debug') =>
  logRows(plan, plan.tasks, { text, level }).map((row) => `${row.task}: ${row.text.split('Z ').at(-1)}`);

it('the lines of all logs are merged by time, and those of one log keep their order', () => {
  const plan = planWith(
    [line(1, 'lvl=info a'), line(3, 'lvl=info c'), '  at a function', line(5, 'lvl=info e')],
    ['no time yet', line(2, 'lvl=info b'), line(4, 'lvl=info d')],
  );
  expect(texts(plan)).toEqual([
    ...['two: no time yet', 'one: lvl=info a', 'two: lvl=info b', 'one: lvl=info c', 'one:   at a function'],
    ...['two: lvl=info d', 'one: lvl=info e'],
  ]);
});

it('a level selects its lines and graver ones, with those that follow them', () => {
  const plan = planWith(
    [line(1, 'lvl=debug a'), line(2, 'lvl=warn b'), '  at a function', line(4, 'lvl=info c')],
    [line(5, 'ERROR d'), line(6, '{"level":"error"} e'), line(7, 'INFO f')],
  );
  expect(texts(plan, '', 'info')).toHaveLength(6);
  expect(texts(plan, '', 'warn')).toEqual([
    ...['one: lvl=warn b', 'one:   at a function', 'two: ERROR d', 'two: {"level":"error"} e'],
  ]);
  expect(texts(plan, '', 'error')).toEqual(['two: ERROR d', 'two: {"level":"error"} e']);
});

it('a search for the start of a secret finds nothing, and the secret is hidden', () => {
  const plan = planWith([line(1, `lvl=info jwt ${SECRET}`)], []);
  expect(texts(plan, 'jwt')).toEqual(['one: lvl=info jwt [redacted]']);
  expect(texts(plan, SECRET.slice(0, 4))).toEqual([]);
});

it('the newest 300 lines are shown, and long ones are cut', () => {
  const plan = planWith(
    Array.from({ length: 500 }, (_, at) => `line ${at}`),
    ['x'.repeat(5000)],
  );
  expect(logRows(plan, plan.tasks.slice(0, 1), { text: '', level: 'debug' }).map(({ text }) => text)).toEqual(
    Array.from({ length: 300 }, (_, at) => `line ${200 + at}`),
  );
  expect(logRows(plan, plan.tasks.slice(1), { text: '', level: 'debug' })[0]?.text).toHaveLength(1001);
});

it('the end of a line is shown that is longer than what is searched, without a part of a secret', () => {
  // The last 4 MiB begin inside the secret.
  const rest = 'x'.repeat(4 * 1024 * 1024 - 1 - SECRET.length / 2);
  const plan = planWith([`${'x'.repeat(10_000)}${SECRET}${rest}`], []);
  const [row, ...others] = logRows(plan, plan.tasks.slice(0, 1), { text: '', level: 'debug' });
  expect(row?.text).toMatch(/^…x{999}…$/);
  expect(others).toEqual([]);
});

it('the newest lines of a log of a gigabyte are searched', () => {
  const plan = planWith(['found too early'], []);
  const [task] = plan.tasks;
  truncateSync(task!.log, 2 ** 30);
  appendFileSync(task!.log, `\n${line(1, 'lvl=info found')}\nlast\n`);
  const rows = (text: string) => logRows(plan, [task!], { text, level: 'debug' }).map((row) => row.text);
  expect(rows('found')).toEqual([line(1, 'lvl=info found')]);
  expect(rows('last')).toEqual(['last']);
  expect(rows('absent')).toEqual([]);
});
