import { expect, it } from 'vitest';
import { rowText, tableText } from '../../../src/orchestrator/status/fork-text.ts';
import type { ForkRow } from '../../../src/orchestrator/status/forks.ts';

const row: ForkRow = {
  ...{ chain: 'main', fork: 'isthmus', time: 1060, at: null, secondsToGo: 0, block: 60, bundle: null },
  nodes: { sequencer: 'active', late: 'pending', behind: 'pending', old: 'never' },
  overrides: { late: 1100, old: null },
};

it('a row of forks says that a node has not reached an activation when its time is past', () => {
  expect(rowText(row, 1050)).toBe(
    'main  isthmus  block 60  1970-01-01T00:17:40Z in 10 s  ' +
      'sequencer active, late pending (1970-01-01T00:18:20Z in 50 s), behind pending, old never',
  );
  expect(rowText(row, 1070)).toContain('late pending (1970-01-01T00:18:20Z in 30 s), behind not reached, old never');
  expect(rowText(row, 1100)).toContain('late not reached (1970-01-01T00:18:20Z), behind not reached, old never');
});

it('a table of forks has its columns below each other', () => {
  const other = {
    ...row,
    fork: 'jovian',
    time: null,
    block: null,
    nodes: { sequencer: 'never' as const },
    overrides: {},
  };
  expect(
    tableText([row, other], 1100)
      .split('\n')
      .map((line) => line.indexOf('sequencer')),
  ).toEqual([47, 47, -1]);
});

it.each<[name: string, row: Partial<ForkRow>, now: number, text: string]>([
  ['never', { time: null, block: null, nodes: { a: 'never' }, overrides: {} }, 0, 'main  isthmus  never  a never'],
  [
    'by an unofficial bundle',
    { bundle: 'unofficial', nodes: {} },
    2000,
    'main  isthmus (unofficial)  block 60  1970-01-01T00:17:40Z',
  ],
  ['by an official bundle', { bundle: 'official', nodes: {} }, 2000, 'main  isthmus  block 60  1970-01-01T00:17:40Z'],
  [
    'only on a node, which has not reached it',
    {
      time: null,
      block: null,
      nodes: { a: 'pending', b: 'unknown', c: 'active' },
      overrides: { a: 10, b: 20, c: null },
    },
    15,
    'main  isthmus  never  a not reached (1970-01-01T00:00:10Z), b unknown (1970-01-01T00:00:20Z in 5 s), c active',
  ],
  [
    'when a node does not answer or has it',
    { nodes: { a: 'unknown', b: 'active' }, overrides: {} },
    2000,
    'main  isthmus  block 60  1970-01-01T00:17:40Z  a unknown, b active',
  ],
  [
    'never on a node that has it still to come',
    { time: null, block: null, nodes: { a: 'pending' }, overrides: {} },
    15,
    'main  isthmus  never  a pending',
  ],
])('a row of a fork that activates %s says so', (_, changes, now, text) => {
  expect(rowText({ ...row, ...changes }, now)).toBe(text);
});
