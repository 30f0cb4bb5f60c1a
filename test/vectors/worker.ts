import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filterOf } from './filter.ts';
import type { VectorCase } from './kind.ts';
import { KINDS } from './kinds.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Asks a worker to run the cases of one file. `filter`: those alone whose names match it. */
export interface FileOrder {
  readonly folder: string;
  readonly path: string;
  readonly filter?: string;
}

/** Answers of a worker: the end of each case, and the end of the file. */
export type WorkerMessage =
  | { readonly name: string; readonly suite: string; readonly outcome: Outcome }
  | { readonly isEnd: true };

const send = (message: WorkerMessage) => process.send!(message);

/** Yields the cases of a file, by kind. A file that cannot be read as its kind is a failed case. */
async function* casesOf({ folder, path }: FileOrder): AsyncGenerator<VectorCase & { readonly suite: string }> {
  const kinds = KINDS.filter(({ files }) => files.test(path));
  const bytes = await readFile(join(folder, path));
  const text = bytes.toString('utf8');
  for (const kind of kinds)
    try {
      for (const one of kind.cases(path, text, bytes, folder)) yield { suite: kind.name, ...one };
    } catch (error) {
      yield { name: 'the file', suite: kind.name, check: () => Promise.reject(error) };
    }
}

async function runFile(order: FileOrder): Promise<void> {
  const matches = order.filter === undefined ? () => true : filterOf(order.filter);
  for await (const { name, suite, check } of casesOf(order))
    if (matches(name)) send({ name, suite, outcome: await outcomeOf(check) });
  send({ isEnd: true });
}

/** A terminal interrupts all processes of the run. The run's own process ends the workers. */
process.on('SIGINT', () => {});
process.on('message', (order) => void runFile(order as FileOrder));
/** The run was killed. Its temporary folder goes, and a file that is being read cannot delay the end. */
process.on('disconnect', () => {
  rmSync(tmpdir(), { recursive: true, force: true });
  process.kill(process.pid, 'SIGKILL');
});

// A worker ends by a signal, at which Node keeps nothing of what it compiled.
flushCompileCache();
