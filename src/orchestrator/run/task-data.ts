import { isAbsolute, join, relative } from 'node:path';
import { copyFolder } from '../../system/copy.ts';
import { exists, privateFolder, remove } from '../../system/folder.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { type Render, writeFiles } from './files.ts';

/** Empties the task's folder and writes the plan's files in it again. */
export async function emptyData({ command: { cwd } }: Task, plan: Plan, render: Render): Promise<void> {
  remove(cwd);
  const own = plan.files.filter(({ path }) => path.startsWith(`${cwd}/`));
  await writeFiles(own, plan, render);
}

/** Copies the data of every task to a folder. The files of the plan stay out: a plan writes them again. */
export async function copyData(plan: Plan, folder: string): Promise<void> {
  const planned = new Set(plan.files.map(({ path }) => path));
  privateFolder(folder);
  await Promise.all(
    plan.tasks
      .filter(({ command }) => exists(command.cwd))
      .map((task) => copyFolder(task.command.cwd, join(folder, placeOf(task, plan)), (path) => !planned.has(path))),
  );
}

/** Copies data of `copyData` into the folders of their tasks. */
export async function placeData(plan: Plan, folder: string): Promise<void> {
  await Promise.all(plan.tasks.map((task) => placeTaskData(task, plan, folder)));
}

/** Copies the data of one task into its folder. A task without data gets none. */
export async function placeTaskData(task: Task, plan: Plan, folder: string): Promise<void> {
  const from = join(folder, placeOf(task, plan));
  if (exists(from)) await copyFolder(from, task.command.cwd);
}

/** Returns the path of a task's folder in that of its devnet. @throws Error where it is elsewhere */
function placeOf({ id, command }: Task, { home }: Plan): string {
  const place = relative(home, command.cwd);
  if (place === '' || place.startsWith('..') || isAbsolute(place))
    throw new Error(`${id} works in ${command.cwd}, outside ${home}: its data cannot be copied`);
  return place;
}
