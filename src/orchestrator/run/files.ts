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
  /** Resolves when every file that the task's commands name is written. */
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
 * Writes a plan's files with their modes, the small ones at once, the large ones one after another; who needs a file waits for that file only.
 * Everybody else's permissions are taken away whatever the umask.
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
  for (const file of files
    .filter((file) => !isText(file))
    .sort((a, b) => RANK[a.content.kind] - RANK[b.content.kind])) {
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
      const words = [task.command, ...task.prepare]
        .flatMap(({ argv, env }) => [...argv, ...Object.values(env)])
        .join('\n');
      // A word may name a folder of files as well.
      await Promise.all([...written].filter(([path]) => names(words, path)).map(([, writing]) => writing));
    },
  };
}

/** Who waits for the genesis of L2 has the longest way to go. */
const RANK: Readonly<Record<FileContent['kind'], number>> = {
  text: 0,
  'l2-genesis': 1,
  without: 2,
  'l1-genesis': 3,
  'upgrade-bundle': 4,
};

/** Writes files again that changed. */
export async function writeFiles(files: readonly PlannedFile[], plan: Plan, render: Render): Promise<void> {
  await startFiles(files, plan, render).all;
}

function names(words: string, path: string): boolean {
  if (words.includes(path)) return true;
  const folder = path.slice(0, path.lastIndexOf('/'));
  return words.split(/[\n=]/).some((word) => word === folder || word === `${folder}/`);
}

function attempt(write: () => void): Promise<void> {
  try {
    write();
    return Promise.resolve();
  } catch (error) {
    return Promise.reject(error);
  }
}
