import type { LoadedSpec } from '../load/loaded-spec.ts';
import { taskOf } from '../plan/lookup.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { processesOf, type Refusal, refuseExport } from './refusals.ts';

/**
 * Refuses clients in images of their own that need what a manifest must not have.
 * That is a fork time, a hash, a secret, or a supervisor. Chain files carry times and hashes: the entry program writes
 * them where they are used.
 * `other`: the plan of the same spec at another genesis time.
 * @throws Failure `spec` (exit 2) with every problem and its position
 */
export function checkArguments(loaded: LoadedSpec, plan: Plan, other: Plan): void {
  const refusals = processesOf(loaded.spec).flatMap(({ path, task: id }): readonly Refusal[] => {
    const task = plan.tasks.find((each) => each.id === id);
    if (task?.container === undefined || task.container.own) return [];
    return faultsOf(task, taskOf(other, id)).map((message) => ({
      path: [...path, 'image'],
      message: `${id}: ${task.client} ${message}`,
      allowed: 'a client of this package',
    }));
  });
  refuseExport(loaded, refusals);
}

function faultsOf(task: Task, other: Task): readonly string[] {
  const words = wordsOf(task);
  const others = wordsOf(other);
  const changing = words.filter((word, index) => word !== others[index]).map(optionOf);
  const secret = Object.entries(task.command.env).find(([, value]) =>
    task.secrets.some((each) => value.includes(each)),
  );
  return [
    ...(changing.length === 0
      ? []
      : [
          `takes the times of this network as arguments (${changing.join(', ')}), and they follow from its first start`,
        ]),
    ...(secret === undefined
      ? []
      : [`takes a key as the variable ${secret[0]}, which every user of the engine can read`]),
    ...(task.firstBlock === undefined ? [] : ['needs its first block from a supervisor, and an export has none']),
  ];
}

function wordsOf({ prepare, command }: Task): readonly string[] {
  return [...prepare, command].flatMap(({ argv }) => argv);
}

/** Returns the name of the option that a word gives. */
function optionOf(word: string): string {
  return word.replace(/=.*$/s, '');
}
