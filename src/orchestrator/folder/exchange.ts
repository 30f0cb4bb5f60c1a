import { dirname, isAbsolute, join, relative } from 'node:path';
import { copyFolder } from '../../system/files/copy.ts';
import {
  exists,
  isFolder,
  move,
  privateFolder,
  readText,
  remove,
  replaceFile,
  setAside,
} from '../../system/files/folder.ts';
import { allSettledOrThrow } from '../../system/time/all-settled.ts';
import type { ClockState } from '../../system/time/clock.ts';
import type { Plan, PlannedFile, Task } from '../plan/plan.ts';
import type { Paths } from '../state/paths.ts';
import { type Render, writeFiles } from './files.ts';

/** A replacement of files and folders of a devnet: of all together, or of none. */
export interface Exchange {
  /**
   * Returns the path at which the new content of a path is made. What lies below a staged folder is made in it.
   * @throws Failure `home` if the disk is full
   */
  stage(path: string): string;
  /** Whether anything is staged. */
  isEmpty(): boolean;
  /** Ends the staging. What follows needs no more disk. @throws Failure `write` if the disk is full */
  seal(): void;
  /** Puts the new content of all paths in place, by renames alone. @throws if none was replaced */
  swap(): void;
  /** Puts the old content back in place, and removes the new one. */
  undo(): void;
  /** Removes the old content. */
  commit(): void;
}

/** What a killed supervisor leaves of an exchange. */
interface List {
  readonly paths: readonly { readonly path: string; readonly existed: boolean }[];
  /** The clock of the network before the exchange. */
  readonly clock?: ClockState;
}

const exchangeFolder = ({ folder }: Paths) => join(folder, 'exchange');

/**
 * Begins an exchange in the devnet's folder, on the disk of what it replaces. The old content stays beside the new one
 * until `commit`. `clock`: state of the clock to which an undone exchange returns.
 */
export function openExchange(paths: Paths, clock?: ClockState): Exchange {
  const place = exchangeFolder(paths);
  const staged: string[] = [];
  let list: List = { paths: [] };
  remove(place);

  function stage(path: string): string {
    const isStaged = staged.some((each) => path === each || path.startsWith(`${each}/`));
    if (!isStaged) {
      staged.push(path);
      // A rename on a full disk needs folders that exist.
      for (const side of ['new', 'old']) privateFolder(dirname(at(paths, side, path)));
    }
    return at(paths, 'new', path);
  }

  return {
    stage,
    isEmpty: () => staged.length === 0,
    seal() {
      list = { paths: staged.map((path) => ({ path, existed: exists(path) })), ...(clock && { clock }) };
      if (staged.length > 0) replaceFile(join(place, LIST), JSON.stringify(list));
    },
    swap() {
      try {
        for (const { path, existed } of list.paths) {
          if (existed) setAside(path, at(paths, 'old', path));
          move(at(paths, 'new', path), path);
        }
      } catch (error) {
        undoExchange(paths);
        throw error;
      }
    },
    undo: () => void undoExchange(paths),
    commit() {
      // Without its list, an exchange is over.
      remove(join(place, LIST));
      remove(place);
    },
  };
}

const LIST = 'list.json';

/**
 * Undoes the exchange that a supervisor did not end. Returns the clock of the network before it, undefined if there
 * was none.
 */
export function undoExchange(paths: Paths): ClockState | undefined {
  const place = exchangeFolder(paths);
  const text = readText(join(place, LIST));
  const list: List | undefined = text === undefined ? undefined : JSON.parse(text);
  for (const { path, existed } of list?.paths ?? []) {
    const old = at(paths, 'old', path);
    const isReplaced = existed ? exists(old) : !exists(at(paths, 'new', path));
    if (!isReplaced) continue;
    if (!existed || isFolder(path)) remove(path);
    if (existed) move(old, path);
  }
  remove(join(place, LIST));
  remove(place);
  return list?.clock;
}

function at(paths: Paths, side: string, path: string): string {
  return join(exchangeFolder(paths), side, relative(paths.folder, path));
}

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
