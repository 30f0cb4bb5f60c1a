import { expect, it } from 'vitest';
import { skewOf, skewText } from '../../../src/orchestrator/health/skew.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import { quickPlanOf } from '../plan/planned.ts';

const plan = quickPlanOf('chains: { main: {}, side: {} }');
const tasks = new Map(plan.tasks.map((task) => [task.id, new LiveTask(task)]));

it.each<[subject: string, skewed: string | undefined, says: string | undefined]>([
  ['main/verifier/cl', 'main/verifier/cl', 'its clock is 10 s ahead, by `devnet clock skew`'],
  ['main/verifier/el', 'main/verifier/cl', 'the clock of main/verifier/cl is 10 s ahead, by `devnet clock skew`'],
  ['main/sequencer/el', 'main/verifier/cl', undefined],
  ['side/verifier/el', 'main/verifier/cl', undefined],
  ['main/batcher', 'main/proposer', undefined],
  ['l1', 'main/batcher', undefined],
  ['absent', 'main/batcher', undefined],
  ['main/verifier/cl', 'absent', undefined],
  ['main/verifier/cl', undefined, undefined],
])('%s, with a skew of %s, says %s', (subject, skewed, says) => {
  expect(skewOf(subject, tasks, new Map(skewed === undefined ? [] : [[skewed, 10_000]]))).toBe(says);
});

it('the skew of the task itself is said before that of its node', () => {
  const skews = new Map([
    ['main/verifier/el', 10_000],
    ['main/verifier/cl', -1500],
  ]);
  expect(skewOf('main/verifier/cl', tasks, skews)).toBe('its clock is 1.5 s behind, by `devnet clock skew`');
});

it.each([
  [10_000, '10 s ahead'],
  [-1500, '1.5 s behind'],
  [0, '0 s ahead'],
])('a skew of %i ms is %s', (ms, text) => {
  expect(skewText(ms)).toBe(text);
});
