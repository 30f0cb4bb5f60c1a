import { setImmediate as turn } from 'node:timers/promises';
import { crc32, isIntact } from '../../system/cache.ts';
import { copyPrivate, writePrivate } from '../../system/folder.ts';
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
  /** Resolves when every file that the task reads is written. */
  readonly forTask: (task: Task) => Promise<void>;
  /** Resolves when all are written. Rejects with the first error. */
  readonly all: Promise<void>;
  /** Stops writing. Resolves when no write is in progress, so that the folder can be removed. */
  stop(): Promise<void>;
}

class Stopped extends Error {}

/** Returns the content of a file that another process has rendered, undefined where none has. */
export type Rendered = (file: PlannedFile) => Promise<string | FileCopy | undefined>;

/**
 * Writes the files of a plan with their modes, and waits per task.
 * Texts are written at once, rendered files one after another in the plan's order. A task waits for the files that it
 * reads. Other users get no permission on a file, whatever the umask.
 */
export function startFiles(
  files: readonly PlannedFile[],
  plan: Plan,
  render: Render,
  rendered: Rendered = () => Promise.resolve(undefined),
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
    if (isStopped) throw new Stopped();
    if (typeof content === 'string') writePrivate(file.path, content, file.mode);
    else await copyPrivate(content.from, file.path, content.head, file.mode);
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

  const all = Promise.all(written.values()).then(() => undefined);
  for (const writing of [all, ...written.values()]) writing.catch(() => undefined);
  return {
    all,
    async stop() {
      isStopped = true;
      stopped.reject(new Stopped());
      await Promise.allSettled(written.values());
    },
    forTask: async (task) => {
      await Promise.all(task.reads.map((path) => written.get(path)));
    },
  };
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
