import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readyBudget } from '../../../src/orchestrator/cli/input/ready-budget.ts';
import { budgetsOf } from '../../../src/orchestrator/start/ready-budget.ts';
import { startReport } from '../../../src/orchestrator/start/start-report.ts';

it.each([
  [undefined, 60_000, {}],
  ['300s', 300_000, {}],
  ['answering=1s,safe=10s', 60_000, { answering: 1000, safe: 10_000 }],
  ['2m, agreed=500ms', 120_000, { agreed: 500 }],
  ['safe=5m', 300_000, { safe: 300_000 }],
])('--ready-budget %s', (text, budgetMs, stampBudgets) => {
  expect(readyBudget({ env: {} }, { readyBudget: text })).toEqual({ budgetMs, stampBudgets });
});

it.each(['', 'soon', '0s', 'saved=1s', 'safe=', 'safe=-1s', '10s,'])('--ready-budget %j is refused', (text) => {
  expect(() => readyBudget({ env: {} }, { readyBudget: text })).toThrow(/spawned, answering, agreed, safe with one/);
});

it('DEVNET_TIMEOUT_FACTOR multiplies the default time, and no explicit time', () => {
  const io = { env: { DEVNET_TIMEOUT_FACTOR: '3' } };
  expect([readyBudget(io, {}), budgetsOf(io, {})].map(({ budgetMs }) => budgetMs)).toEqual([180_000, 180_000]);
  expect(readyBudget(io, { readyBudget: '5s' }).budgetMs).toBe(5000);
  for (const wrong of ['0', '-1', 'much'])
    expect(() => readyBudget({ env: { DEVNET_TIMEOUT_FACTOR: wrong } }, {})).toThrow(/expected a number above 0/);
});

it('--ready-budget accepts the budgets of a program, and refuses what cannot be one', () => {
  const io = { env: {} };
  expect(budgetsOf(io, {})).toEqual({ budgetMs: 60_000, stampBudgets: {} });
  expect(budgetsOf(io, { budgets: { safe: 90_000 } })).toEqual({ budgetMs: 90_000, stampBudgets: { safe: 90_000 } });
  expect(budgetsOf(io, { budget: 5, budgets: { agreed: 7 } })).toEqual({ budgetMs: 5, stampBudgets: { agreed: 7 } });
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    for (const options of [{ budget: bad }, { budgets: { safe: bad } }])
      expect(() => budgetsOf(io, options)).toThrow(/^(budget|safe): expected milliseconds above 0/);
  const stray: object = { saved: 1 };
  expect(() => budgetsOf(io, { budgets: stray })).toThrow(/unknown stamp "saved"; expected spawned, answering/);
});

it('a report counts from the beginning of the command, the slowest process first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-report-'));
  const report = startReport(1000);
  const task = (task: string, phase: 'starting' | 'ready', at: number) =>
    report.tell({ event: 'task', task, phase, pid: 7, at });
  task('l1', 'starting', 1100);
  task('a/s/el', 'starting', 1200);
  task('l1', 'ready', 1500);
  task('a/s/el', 'ready', 2000);
  task('a/proposer', 'starting', 2100);
  report.tell({ event: 'phase', phase: 'ready', stamps: { parsed: 1050, answering: 2000, agreed: 2200 }, at: 2200 });
  const budget = { budgetMs: 60_000, stampBudgets: { answering: 3000 } };
  report.write({ cwd: folder }, 'it.json', { name: 'a', ready: true, ...budget, failure: undefined });
  expect(JSON.parse(readFileSync(join(folder, 'it.json'), 'utf8'))).toEqual({
    ...{ name: 'a', ready: true, began: '1970-01-01T00:00:01.000Z' },
    seconds: { parsed: 0.05, spawned: null, answering: 1, agreed: 1.2, safe: null },
    budgets: { ready: 60, answering: 3 },
    slowest: 'a/s/el',
    processes: [
      { task: 'a/s/el', phase: 'ready', spawned: 0.2, ready: 1 },
      { task: 'l1', phase: 'ready', spawned: 0.1, ready: 0.5 },
      { task: 'a/proposer', phase: 'starting', spawned: 1.1, ready: null },
    ],
    failure: null,
  });
  rmSync(folder, { recursive: true });
});
