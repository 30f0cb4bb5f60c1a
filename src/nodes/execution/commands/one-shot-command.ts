import { EXIT, Failure } from '../../../system/failure.ts';
import type { Running } from '../../../system/program.ts';

/** A program that does one thing and ends: a signal stops it between two steps, and it says so. */
export function oneShotCommand(name: string, work: (signal: AbortSignal) => Promise<void>): Running {
  const stopped = new AbortController();
  let isDone = false;
  const done = work(stopped.signal).then(() => {
    isDone = true;
  });
  return {
    done,
    failed: new Promise<never>(() => {}),
    async stop() {
      const wasDone = isDone;
      stopped.abort();
      // What it failed with is thrown by `done`.
      await done.catch(() => {});
      if (!wasDone && isDone)
        throw new Failure('interrupted', `${name}: interrupted, what was done is kept`, { exit: EXIT.interrupted });
    },
  };
}
