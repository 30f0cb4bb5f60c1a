import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan, Task } from '../plan/plan.ts';

/**
 * Returns the tasks that a word on the command line names.
 * Allowed are a task's id, NODE for both its processes, NODE.el, NODE.cl, and `batcher` and `proposer` if there is
 * one chain. Each may follow CHAIN/.
 * @throws Failure `target` (exit 2) with the list of tasks
 */
export function tasksOf(plan: Plan, word: string): readonly Task[] {
  const slashed = word.replace(/\.(el|cl)$/, '/$1');
  const exact = plan.tasks.filter(({ id }) => id === slashed);
  if (exact.length > 0) return exact;
  const candidates = plan.network.chains
    .map(({ name }) =>
      plan.tasks.filter(
        ({ id }) =>
          [`${name}/${slashed}`, slashed].some((prefix) => id === prefix || id.startsWith(`${prefix}/`)) &&
          id.startsWith(`${name}/`),
      ),
    )
    .filter((tasks) => tasks.length > 0);
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new Failure(
    'target',
    only === undefined
      ? `there is no node ${JSON.stringify(word)}`
      : `several chains have ${word}: expected CHAIN/${word}`,
    { exit: EXIT.usage, hint: `expected one of ${plan.tasks.map(({ id }) => id).join(', ')}` },
  );
}
