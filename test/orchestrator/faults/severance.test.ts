import { expect, it } from 'vitest';
import { faultDocument } from '../../../src/orchestrator/faults/schema.ts';
import { faultBetween } from '../../../src/orchestrator/faults/severance.ts';
import { NO_FAULTS } from '../../../src/orchestrator/state/faults.ts';
import { three } from './network.ts';

const shaping = (each: object) => ({ ...NO_FAULTS, ...faultDocument.parse({ shaping: [each] }) }) as typeof NO_FAULTS;
const between = (faults: typeof NO_FAULTS, other: string) =>
  faultBetween(three, faults, 'main/a/cl', `main/${other}/cl`)?.id;

it('a fault is between two rollup nodes if it ends their gossip', () => {
  const split = { ...NO_FAULTS, partitions: [{ id: 'split', since: 1, groups: [['a', 'b'], ['late-one']] }] };
  expect([between(split, 'b'), between(split, 'late-one')]).toEqual([undefined, 'split']);
  expect(between(shaping({ id: 'gone', target: 'a-b', drop: true }), 'b')).toBe('gone');
  expect(between(shaping({ id: 'gone', target: 'b', cut: true }), 'b')).toBe('gone');
  expect(between(shaping({ id: 'gone', target: 'b', cut: true }), 'late-one')).toBeUndefined();
});

it('a slow link, and one of another kind, are between no rollup nodes', () => {
  expect(between(shaping({ id: 'slow', target: 'a-b', delay: 100 }), 'b')).toBeUndefined();
  expect(between(shaping({ id: 'engine', target: 'b:engine', cut: true }), 'b')).toBeUndefined();
  expect(between(NO_FAULTS, 'b')).toBeUndefined();
});
