import { describe, expect, it } from 'vitest';
import { filesInOrder, listedTasks, tasksInOrder } from '../../../src/orchestrator/plan/order.ts';
import type { FileContent, PlannedFile, Task } from '../../../src/orchestrator/plan/plan.ts';
import { fixturePlan, type TaskOptions } from '../supervisor/fixture-plan.ts';
import { quickPlanOf } from './planned.ts';

const tasksOf = (others: Readonly<Record<string, TaskOptions>>) => fixturePlan('/state', 'net', [], others).tasks;
const idsOf = (tasks: readonly Task[], files: readonly PlannedFile[] = []) =>
  tasksInOrder(tasks, files).map(({ id }) => id);
const file = (path: string, content: FileContent): PlannedFile => ({ path, mode: 0o644, secret: false, content });

const text = { kind: 'text', text: '' } as const;
const bundle = { kind: 'upgrade-bundle', fork: 'jovian' } as const;
const l1 = { kind: 'l1-genesis', inputs: {} as never } as const;
const l2 = { kind: 'l2-genesis', inputs: {} as never } as const;
const without = { kind: 'without', of: l2, keys: [] } as const;

it('files are written by their kind: texts first, then L2, copies, L1 and bundles', () => {
  const files = [bundle, l1, without, l2, text].map((content, at) => file(String(at), content));
  const more = [...files, file('5', text), file('6', bundle)];
  expect(filesInOrder(more).map(({ path }) => path)).toEqual(['4', '5', '3', '2', '1', '0', '6']);
  expect(more.map(({ path }) => path)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
});

describe('a task starts', () => {
  const ready = (task: string) => ({ task, until: 'ready' as const });
  const spawned = (task: string) => ({ task, until: 'spawned' as const });

  it.each<[string, Readonly<Record<string, TaskOptions>>, readonly string[]]>([
    ['in the order of the plan if nothing else decides', { a: {}, b: {}, c: {} }, ['a', 'b', 'c']],
    ['after the task that it needs', { a: { needs: [ready('b')] }, b: {} }, ['b', 'a']],
    [
      'after ten that wait for a spawn each, if it waits for readiness',
      { a: { needs: [ready('d')] }, b: { needs: [spawned('c')] }, c: { needs: [spawned('d')] }, d: {} },
      ['d', 'c', 'b', 'a'],
    ],
    [
      'by its longest wait',
      { a: { needs: [spawned('c'), ready('c')] }, b: { needs: [spawned('c')] }, c: {} },
      ['c', 'b', 'a'],
    ],
    [
      'by the sum of a chain of waits',
      { a: { needs: [ready('b')] }, b: { needs: [ready('c')] }, d: { needs: [ready('c')] }, c: {} },
      ['c', 'b', 'd', 'a'],
    ],
    ['last if it is late', { p: { late: true }, a: { needs: [ready('b')] }, b: {} }, ['b', 'a', 'p']],
    [
      'sooner if its kind needs more time, most of all with a run before it',
      { b: {}, q: { prepare: [{ argv: [], cwd: '/', env: {} }] }, e: { kind: 'el' }, c: { kind: 'cl' } },
      ['c', 'e', 'q', 'b'],
    ],
    [
      'sooner if it has a run before its start, among those of its kind',
      { a: { kind: 'el' }, b: { kind: 'el', prepare: [{ argv: [], cwd: '/', env: {} }] } },
      ['b', 'a'],
    ],
  ])('%s', (_, tasks, order) => {
    expect(idsOf(tasksOf(tasks))).toEqual(order);
  });

  it('by the last rendered file that it reads, texts aside', () => {
    const files = [file('t', text), file('g', l2), file('h', l1), file('b', bundle)];
    const tasks = tasksOf({
      bundle: { reads: ['t', 'b'] },
      l1: { reads: ['h', 'g'] },
      l2: { reads: ['g'] },
      text: { reads: ['t'], kind: 'batcher' },
      other: { reads: ['elsewhere'], kind: 'el' },
    });
    expect(idsOf(tasks, files)).toEqual(['other', 'text', 'l2', 'l1', 'bundle']);
  });
});

it('the order refuses tasks that wait for each other and needs that no task meets', () => {
  const needing = (needs: Readonly<Record<string, string>>) =>
    tasksOf(
      Object.fromEntries(
        Object.entries(needs).map(([id, task]) => [id, { needs: [{ task, until: 'ready' as const }] }]),
      ),
    );
  expect(() => tasksInOrder(needing({ a: 'b', b: 'c', c: 'a' }), [])).toThrow('a → b → c → a');
  expect(() => tasksInOrder(needing({ a: 'b' }), [])).toThrow('a needs the task b, which this network does not have');
});

it('a list of tasks has L1 first, then chain by chain its nodes and its services, as the spec names them', () => {
  const plan = quickPlanOf(
    'name: two\nchains: { zeta: { chainId: 7 }, alpha: { chainId: 8, nodes: { z: { role: sequencer }, a: {} } } }',
  );
  expect(listedTasks(plan).map(({ id }) => id)).toEqual([
    ...['l1', 'l1-beacon'],
    ...['zeta/sequencer/el', 'zeta/sequencer/cl', 'zeta/verifier/el', 'zeta/verifier/cl'],
    ...['zeta/batcher', 'zeta/proposer'],
    ...['alpha/z/el', 'alpha/z/cl', 'alpha/a/el', 'alpha/a/cl', 'alpha/batcher', 'alpha/proposer'],
  ]);
});
