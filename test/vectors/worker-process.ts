import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FileOrder, WorkerMessage } from './worker.ts';

type CaseEnd = Extract<WorkerMessage, { readonly name: string }>;

/** A process that runs files one after another. A crash of it ends one file, not the run. */
export class WorkerProcess {
  readonly #temporary: string;
  #child: ChildProcess | undefined;

  /** @param temporary the folder for everything that the cases write */
  constructor(temporary: string) {
    this.#temporary = temporary;
  }

  /** Runs the cases of a file. Returns undefined at its end, or how the process ended before it. */
  run(order: FileOrder, onCase: (end: CaseEnd) => void): Promise<string | undefined> {
    const child = this.#child ?? this.#start();
    return new Promise((resolve) => {
      const leave = (outcome: string | undefined) => {
        child.removeAllListeners();
        resolve(outcome);
      };
      child.on('message', (message: WorkerMessage) => ('isEnd' in message ? leave(undefined) : onCase(message)));
      child.on('exit', (code, signal) => {
        this.#child = undefined;
        leave(`its process ended with ${signal ?? `exit code ${code}`}`);
      });
      child.send(order);
    });
  }

  #start(): ChildProcess {
    const env = { ...process.env, TMPDIR: this.#temporary };
    this.#child = fork(join(import.meta.dirname, 'worker.ts'), [], { env });
    return this.#child;
  }

  /** Kills the process: a case may compute for an hour. */
  kill(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
  }
}
