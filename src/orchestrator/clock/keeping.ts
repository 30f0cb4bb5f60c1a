import { allSettledOrThrow } from '../../system/time/all-settled.ts';

/** Wall time (ms) in which a process must have answered. */
const PATIENCE = 20_000;

/** Requests to processes, all at once, and their answers. */
export interface Keeping {
  /** Asks tasks, and resolves when each has answered. @throws Error with the first that failed, ended or was late */
  ask(tasks: readonly string[], send: (task: string, id: number) => void): Promise<void>;
  answered(task: string | undefined, id: number, error: string | undefined): void;
  /** Says that the connection of a task has ended. */
  lost(task: string): void;
}

/** Creates the requests of one kind. `work`: what a process is asked to do. `patience`: wall time (ms) for each. */
export function keeping(work: string, patience = PATIENCE): Keeping {
  const waiting = new Map<string, { readonly id: number; settle(error: string | undefined): void }>();
  let last = 0;

  function one(task: string, id: number, send: (task: string, id: number) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (error: string | undefined) =>
      error === undefined ? resolve() : reject(new Error(`${task} did not ${work}: ${error}`));
    const timer = setTimeout(() => settle(`no answer within ${patience / 1000} s`), patience);
    waiting.set(task, { id, settle });
    send(task, id);
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(task);
    });
  }

  return {
    async ask(tasks, send) {
      const id = ++last;
      await allSettledOrThrow(tasks.map((task) => one(task, id, send)));
    },
    answered(task = '', id, error) {
      const asked = waiting.get(task);
      if (asked?.id === id) asked.settle(error);
    },
    lost: (task) => waiting.get(task)?.settle('it ended'),
  };
}
