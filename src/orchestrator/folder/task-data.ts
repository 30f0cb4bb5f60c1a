import { isAbsolute, join, relative } from 'node:path';
import { copyFolder } from '../../system/files/copy.ts';
import { exists, isFolder, privateFolder } from '../../system/files/folder.ts';
import { allSettledOrThrow } from '../../system/time/all-settled.ts';
import type { Plan, PlannedFile, Task } from '../plan/plan.ts';
import type { Exchange } from './exchange.ts';
import { type Render, writeFiles } from './files.ts';

/** Stages an empty folder for the task, with the plan's files in it. @throws Failure `write` */
export async function stageEmpty(
  exchange: Exchange,
  { command: { cwd } }: Task,
  plan: Plan,
  render: Render,
): Promise<void> {
  privateFolder(exchange.stage(cwd));
  await stageFiles(
    exchange,
    plan.files.filter(({ path }) => path.startsWith(`${cwd}/`)),
    plan,
    render,
  );
}

/** Stages files of a plan. @throws Failure `write` */
export async function stageFiles(
  exchange: Exchange,
  files: readonly PlannedFile[],
  plan: Plan,
  render: Render,
): Promise<void> {
  await writeFiles(
    files.map((file) => ({ ...file, path: exchange.stage(file.path) })),
    plan,
    render,
  );
}

/** Stages data of `copyData` for every task. @throws the system's error */
export async function stageData(exchange: Exchange, plan: Plan, folder: string): Promise<void> {
  await allSettledOrThrow(
    plan.tasks.map(({ id, command }) => {
      const from = join(folder, placeOf({ id, command }, plan));
      return exists(from) ? copyFolder(from, exchange.stage(command.cwd)) : Promise.resolve();
    }),
  );
}

/** Stages a copy of a stopped task's data. Files that are staged already stay. @throws the system's error */
export async function stageCopy(exchange: Exchange, { command: { cwd } }: Task): Promise<void> {
  const to = exchange.stage(cwd);
  await copyFolder(cwd, to, (path) => isFolder(path) || !exists(exchange.stage(path)));
}

/** Copies the data of every task to a folder. The files of the plan stay out: a plan writes them again. */
export async function copyData(plan: Plan, folder: string): Promise<void> {
  const planned = new Set(plan.files.map(({ path }) => path));
  privateFolder(folder);
  await allSettledOrThrow(
    plan.tasks
      .filter(({ command }) => exists(command.cwd))
      .map((task) => copyFolder(task.command.cwd, join(folder, placeOf(task, plan)), (path) => !planned.has(path))),
  );
}

/** Copies data of `copyData` of one task into its folder. A task without data gets none. */
export async function placeTaskData(task: Task, plan: Plan, folder: string): Promise<void> {
  const from = join(folder, placeOf(task, plan));
  if (exists(from)) await copyFolder(from, task.command.cwd);
}

/** Returns the path of a task's folder in that of its devnet. @throws Error if it is elsewhere */
function placeOf({ id, command }: Pick<Task, 'id' | 'command'>, { home }: Plan): string {
  const place = relative(home, command.cwd);
  if (place === '' || place.startsWith('..') || isAbsolute(place))
    throw new Error(`${id} works in ${command.cwd}, outside ${home}: its data cannot be copied`);
  return place;
}
