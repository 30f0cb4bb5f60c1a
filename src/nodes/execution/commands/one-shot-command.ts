import { EXIT, Failure } from '../../../system/failure.ts';
import type { Running } from '../../../system/program/program.ts';

/** Runs a command that ends by itself. A signal aborts it and reports the interruption. */
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
      // `done` rejects with the error of the work.
      await done.catch(() => {});
      if (!wasDone && isDone)
        throw new Failure('interrupted', `${name}: interrupted; completed work is kept`, { exit: EXIT.interrupted });
    },
  };
}
