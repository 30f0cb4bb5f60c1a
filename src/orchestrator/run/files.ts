import { setImmediate as turn } from 'node:timers/promises';
import { crc32, isIntact } from '../../system/cache.ts';
import { copyPrivate, writePrivate } from '../../system/folder.ts';
import type { FileContent, Plan, PlannedFile, Task } from '../plan/plan.ts';

/** Turns contents that a plan only names into what is written. */
export interface Render {
  content(content: FileContent, plan: Plan): Promise<string | FileCopy>;
}

/** A file that is a copy of a cached one with a text over its first bytes. */
export interface FileCopy {
  readonly from: string;
  readonly head: string;
}

/** The files of a plan on their way to the disk. */
export interface Files {
  /** Resolves when every file that the task reads is written. */
  readonly forTask: (task: Task) => Promise<void>;
  /** Resolves when all are written; rejects with what went wrong. */
  readonly all: Promise<void>;
  /** Writes no more. Resolves when no write is under way, so that the folder can be removed. */
  stop(): Promise<void>;
}

class Stopped extends Error {}

/** The content of a file that somebody else has rendered; undefined where nobody has. */
export type Rendered = (file: PlannedFile) => Promise<string | FileCopy | undefined>;

/**
 * Writes the files of a plan with their modes: texts at once, rendered files one after another in the plan's order.
 * A task waits for the files that it reads only. Other users get no permission on a file, whatever the umask is.
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
    // The command line located a cached file by its name and size: its content is checked here, off the path that every task waits for.
    if (content === undefined || (typeof content !== 'string' && !isIntact(content.from, crc32)))
      content = await render.content(file.content, plan);
    if (isStopped) throw new Stopped();
    if (typeof content === 'string') writePrivate(file.path, content, file.mode);
    else await copyPrivate(content.from, file.path, content.head, file.mode);
  };
  const isText = ({ content }: PlannedFile) => content.kind === 'text';
  let before: Promise<unknown> = Promise.resolve();
  for (const file of files.filter((file) => !isText(file))) {
    // Rendering keeps this process busy: between two files those who have theirs are started.
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

/** Writes files again that changed. */
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
