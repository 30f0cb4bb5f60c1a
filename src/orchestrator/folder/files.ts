import { setImmediate as turn } from 'node:timers/promises';
import { systemCode } from '../../system/failure.ts';
import { crc32, isIntact } from '../../system/files/cache.ts';
import { copyPrivate, exists, writePrivate } from '../../system/files/folder.ts';
import type { FileContent, Plan, PlannedFile, Task } from '../plan/plan.ts';

/** Renders the contents that a plan names. */
export interface Render {
  content(content: FileContent, plan: Plan): Promise<string | FileCopy>;
}

/** A file that is a copy of a cached one with a text over its first bytes. */
export interface FileCopy {
  readonly from: string;
  readonly head: string;
}

/** The files of a plan while they are written. */
export interface Files {
  /** Resolves when every file that the task reads is written, and its data are in its folder. */
  readonly forTask: (task: Task) => Promise<void>;
  /** Resolves when all are written. Rejects with the first error. */
  readonly all: Promise<void>;
  /** Stops writing. Resolves when no write is in progress, so that the folder can be removed. */
  stop(): Promise<void>;
}

/** Number of times that the cache may lose a file between its rendering and its copy. */
const MAX_LOSSES = 3;

class Stopped extends Error {}

/** Returns the content of a file that another process has rendered, undefined if none has. */
export type Rendered = (file: PlannedFile) => Promise<string | FileCopy | undefined>;

/** Where contents come from that the plan does not hold. */
export interface FileSources {
  readonly rendered?: Rendered;
  /** Puts the data of a task into its folder. Absent: a new network has none. */
  readonly place?: (task: Task) => Promise<void>;
}

/**
 * Writes the files of a plan with their modes, and waits per task.
 * Texts are written at once, rendered files one after another in the plan's order. A task waits for the files that it
 * reads and for its data. Other users get no permission on a file, whatever the umask.
 */
export function startFiles(
  files: readonly PlannedFile[],
  plan: Plan,
  render: Render,
  { rendered = () => Promise.resolve(undefined), place }: FileSources = {},
): Files {
  const written = new Map<string, Promise<void>>();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  let isStopped = false;
  const write = async (file: PlannedFile) => {
    if (isStopped) throw new Stopped();
    let content = await Promise.race([rendered(file), stopped.promise]);
    // The command line found a cached file by name and size. Its content is checked here, where no task waits for it.
    if (content === undefined || (typeof content !== 'string' && !isIntact(content.from, crc32)))
      content = await render.content(file.content, plan);
    for (let losses = 0; ; losses++) {
      if (isStopped) throw new Stopped();
      if (typeof content === 'string') return writePrivate(file.path, content, file.mode);
      if (await copied(content, file, losses < MAX_LOSSES)) return;
      content = await render.content(file.content, plan);
    }
  };
  const isText = ({ content }: PlannedFile) => content.kind === 'text';
  let before: Promise<unknown> = Promise.resolve();
  for (const file of files.filter((file) => !isText(file))) {
    // Rendering blocks the event loop. Between two files, tasks whose files are written start.
    const writing = before.then(() => write(file));
    written.set(file.path, writing);
    before = writing.catch(() => undefined).then(() => turn());
  }
  for (const { path, content, mode } of files)
    if (content.kind === 'text')
      written.set(
        path,
        attempt(() => writePrivate(path, content.text, mode)),
      );

  const placed = new Map(place === undefined ? [] : plan.tasks.map((task) => [task.id, place(task)] as const));
  const writes = [...written.values(), ...placed.values()];
  const all = Promise.all(writes).then(() => undefined);
  for (const writing of [all, ...writes]) writing.catch(() => undefined);
  return {
    all,
    async stop() {
      isStopped = true;
      stopped.reject(new Stopped());
      await Promise.allSettled(writes);
    },
    forTask: async (task) => {
      await Promise.all(dataFor(task, plan).map((id) => placed.get(id)));
      await Promise.all(commandNow(task).reads.map((path) => written.get(path)));
    },
  };
}

/**
 * Copies a cached file. Returns false if it was gone, and `mayBeGone`: any process of this user may remove it from the
 * cache, and write it again at once.
 */
async function copied({ from, head }: FileCopy, { path, mode }: PlannedFile, mayBeGone: boolean): Promise<boolean> {
  try {
    await copyPrivate(from, path, head, mode);
    return true;
  } catch (error) {
    if (mayBeGone && systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Returns the ids of the tasks whose data a task reads. Beside its own, these hold the file that it resumes from. */
function dataFor(task: Task, { tasks }: Plan): readonly string[] {
  const { id, resume } = task;
  return [id, ...tasks.filter(({ command }) => resume?.file.startsWith(`${command.cwd}/`)).map((other) => other.id)];
}

/** Writes changed files again. */
export async function writeFiles(files: readonly PlannedFile[], plan: Plan, render: Render): Promise<void> {
  await startFiles(files, plan, render).all;
}

function attempt(write: () => void): Promise<void> {
  try {
    write();
    return Promise.resolve();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Returns a task's command for a start now, and the planned files that it reads. Both depend on its kept state. */
export function commandNow({ command, resume, reads }: Task): Pick<Task, 'command' | 'reads'> {
  return resume !== undefined && exists(resume.file) ? resume : { command, reads };
}
