import { allSettledOrThrow } from '../../system/time/all-settled.ts';

/** Wall time (ms) in which a process must have answered. */
const PROCESS_TIMEOUT_MS = 20_000;

interface OpenRequest {
  readonly id: number;
  settle(error: string | undefined): void;
}

/** Requests of one kind to processes, all at once, and their answers. */
export class Requests {
  readonly #open = new Map<string, OpenRequest>();
  #last = 0;

  /**
   * Asks tasks, and resolves when each has answered. `work`: what a process is asked to do.
   * @throws Error with the first that failed, ended or was late
   */
  async send(tasks: readonly string[], work: string, send: (task: string, id: number) => void): Promise<void> {
    const id = ++this.#last;
    await allSettledOrThrow(tasks.map((task) => this.#sendTo(task, id, work, send)));
  }

  receive(task: string | undefined, id: number, error: string | undefined): void {
    const request = this.#open.get(task ?? '');
    if (request?.id === id) request.settle(error);
  }

  /** Says that the connection of a task has ended. */
  lose(task: string): void {
    this.#open.get(task)?.settle('it ended');
  }

  #sendTo(task: string, id: number, work: string, send: (task: string, id: number) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (error: string | undefined) =>
      error === undefined ? resolve() : reject(new Error(`${task} did not ${work}: ${error}`));
    const timer = setTimeout(() => settle(`no answer within ${PROCESS_TIMEOUT_MS / 1000} s`), PROCESS_TIMEOUT_MS);
    this.#open.set(task, { id, settle });
    send(task, id);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#open.delete(task);
    });
  }
}
