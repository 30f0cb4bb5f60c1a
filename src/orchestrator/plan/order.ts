import { Failure } from '../../system/failure.ts';
import type { Task } from './plan.ts';

/** Tasks in an order in which every need stands before its user, otherwise as given. @throws Failure `plan` on a need that does not exist or a cycle */
export function inOrder(tasks: readonly Task[]): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ordered = new Map<string, Task>();
  const visit = (task: Task, path: readonly string[]) => {
    if (ordered.has(task.id)) return;
    if (path.includes(task.id))
      throw new Failure('plan', `tasks wait for each other: ${[...path, task.id].join(' → ')}`);
    for (const { task: id } of task.needs) {
      const needed = byId.get(id);
      if (needed === undefined) throw new Failure('plan', `${task.id} needs ${id}, which is no task of this network`);
      visit(needed, [...path, task.id]);
    }
    ordered.set(task.id, task);
  };
  for (const task of tasks) visit(task, []);
  return [...ordered.values()];
}
