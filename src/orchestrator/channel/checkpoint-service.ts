import { type CheckpointOrder, type CheckpointStep, checkpointRequest } from '../../system/channel/messages.ts';
import { stillStarting } from '../control/refusals.ts';
import { type Connections, Requests } from './connections.ts';

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
