import { expect, it } from 'vitest';
import { needsOf } from '../../../../src/orchestrator/plan/tasks/needs.ts';
import type { ClientTemplate } from '../../../../src/orchestrator/template/template.ts';

const ids = { el: 'main/a/el', cl: 'main/a/cl' };
const needs = (template: object, drivesEngine = false) =>
  needsOf(template as ClientTemplate, ids, { drivesEngine } as ClientTemplate);
const BEACON = { task: 'l1-beacon', until: 'ready' };

it('a task needs the tasks that its template names, in the state that it names', () => {
  expect(needs({ kind: 'cl', needs: {} })).toEqual([]);
  expect(needs({ kind: 'el', needs: { l1: 'ready', beacon: 'spawned', cl: 'ready', el: 'spawned' } })).toEqual([
    { task: 'l1', until: 'ready' },
    { task: 'l1-beacon', until: 'spawned' },
    { task: 'main/a/cl', until: 'ready' },
    { task: 'main/a/el', until: 'spawned' },
  ]);
});

it('a rollup node, and no other task, waits for a beacon client that makes the blocks of L1', () => {
  expect(needs({ kind: 'cl', needs: { el: 'spawned' } }, true)).toEqual([
    { task: 'main/a/el', until: 'spawned' },
    BEACON,
  ]);
  expect(needs({ kind: 'cl', needs: { beacon: 'spawned' } }, true)).toEqual([BEACON]);
  expect(needs({ kind: 'batcher', needs: {} }, true)).toEqual([]);
});
