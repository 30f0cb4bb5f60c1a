import { type CheckpointOrder, type CheckpointStep, checkpointRequest } from '../../system/channel/messages.ts';
import { allSettledOrThrow } from '../../system/time/all-settled.ts';
import { stillStarting } from '../control/refusals.ts';
import type { Connections } from './connections.ts';

/** The work of a process in each step, for messages. */
const STEP_WORK: Readonly<Record<CheckpointStep, string>> = {
  take: 'take its checkpoint',
  suspend: 'suspend its work',
  restore: 'restore its checkpoint',
  resume: 'resume its work',
  drop: 'drop its checkpoint',
};

/** The checkpoint service of a network's channel: has the processes take and restore states in memory. */
export class CheckpointService {
  readonly #connections: Connections;
  readonly #steps = new Requests();
  #serve: (order: CheckpointOrder) => Promise<number> = async () => {
    throw stillStarting();
  };

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Has some processes take a step, all at once. @throws Error with the first that did not */
  step(step: CheckpointStep, checkpoint: number, tasks: readonly string[]): Promise<void> {
    return this.#steps.send(tasks, STEP_WORK[step], (task, id) => {
      if (!this.#connections.send(task, checkpointRequest(id, step, checkpoint))) this.#steps.lose(task);
    });
  }

  /** Sets what takes and restores checkpoints of the whole network when a process orders it. */
  serveOrders(serve: (order: CheckpointOrder) => Promise<number>): void {
    this.#serve = serve;
  }

  /** Takes or restores a checkpoint of the whole network. */
  order(order: CheckpointOrder): Promise<number> {
    return this.#serve(order);
  }

  stepped(task: string | undefined, id: number, error: string | undefined): void {
    this.#steps.receive(task, id, error);
  }

  lose(task: string): void {
    this.#steps.lose(task);
  }
}

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
