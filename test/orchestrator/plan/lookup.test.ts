import { describe, expect, it } from 'vitest';
import { taskFolder } from '../../../src/orchestrator/plan/inputs.ts';
import { entryOf, isAttached, taskAt, taskIds, taskOf } from '../../../src/orchestrator/plan/lookup.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

describe('an entry', () => {
  it.each([
    ['a record', { a: 0, b: 1 }],
    [
      'a map',
      new Map([
        ['a', 0],
        ['b', 1],
      ]),
    ],
  ])('of %s has its value, and a missing one is named', (_, entries) => {
    expect([entryOf(entries, 'a'), entryOf(entries, 'b')]).toEqual([0, 1]);
    expect(() => entryOf(entries, 'c d')).toThrow('the plan has no entry "c d"');
  });
});

it('a node has two tasks with ids and folders of their own', () => {
  expect(taskIds('main', 'a')).toEqual({ el: 'main/a/el', cl: 'main/a/cl' });
  expect(taskFolder({ home: '/state/x' }, 'main/a/el')).toBe('/state/x/nodes/main/a/el');
});

it.each([
  ['runs L1', { l1: {} }, false],
  ['has an L1 that the user starts', { l1: { launch: 'manual' as const } }, false],
  ['has another task outside', { l1: {}, 'main/a/el': { launch: 'external' as const } }, false],
  ['has an L1 outside', { 'main/a/el': {}, l1: { launch: 'external' as const } }, true],
  ['has no L1', {}, false],
])('a network that %s is attached: %s', (_, tasks, attached) => {
  expect(isAttached(fixturePlan('/state', 'net', [], tasks))).toBe(attached);
});

it('a task is found by its id, and a missing one is named', () => {
  const plan = fixturePlan('/state', 'net', [], { a: {}, b: {} });
  expect(taskOf(plan, 'b')).toBe(plan.tasks[1]);
  expect(() => taskOf(plan, 'c')).toThrow('the plan has no task c');
});

it.each([
  ['http://127.0.0.1:9545', 'a'],
  ['ws://127.0.0.1:9546/path', 'b'],
  ['http://127.0.0.2:9545', undefined],
  ['http://127.0.0.1:9', undefined],
  ['http://127.0.0.1', undefined],
  ['no URL', undefined],
])('the task at %s is %s', (url, id) => {
  const ports = (...numbers: number[]) => ({
    ports: numbers.map((port) => ({ name: `p${port}`, host: '127.0.0.1', port, transport: 'tcp' as const })),
  });
  const plan = fixturePlan('/state', 'net', [], { a: ports(9000, 9545), b: ports(9546) });
  expect(taskAt(plan, url)?.id).toBe(id);
});
