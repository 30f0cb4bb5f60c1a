import type { L1Answer, L1Request, PoolFaultMatch } from '../../system/channel/l1-requests.ts';
import type { Connections } from './connections.ts';

/** Wall time (ms) in which a request must be answered: the longest one makes 128 blocks again. */
const REQUEST_TIMEOUT_MS = 60_000;

interface OpenRequest {
  readonly task: string;
  settle(answer: L1Answer | Error): void;
}

/** The L1 service of a network's channel: requests to the program that makes L1's blocks. */
export class L1Service {
  readonly #connections: Connections;
  readonly #open = new Map<number, OpenRequest>();
  #last = 0;
  #onConnected: (task: string) => void = () => {};
  #onPoolFault: (match: PoolFaultMatch) => void = () => {};

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Asks a task, and resolves with the outcome. @throws Error if it is not connected, ends, fails or is late */
  ask(task: string, request: L1Request): Promise<L1Answer> {
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<L1Answer>();
    const settle = (answer: L1Answer | Error) => (answer instanceof Error ? reject(answer) : resolve(answer));
    const late = () => settle(new Error(`${task} did not answer within ${REQUEST_TIMEOUT_MS / 1000} s`));
    const timer = setTimeout(late, REQUEST_TIMEOUT_MS);
    this.#open.set(id, { task, settle });
    if (!this.#connections.send(task, { ask: id, l1: request })) settle(new Error(`${task} does not run`));
    return promise.finally(() => {
      clearTimeout(timer);
      this.#open.delete(id);
    });
  }

  /** Sets what is called when a task has connected, which knows no earlier request. */
  onConnected(listener: (task: string) => void): void {
    this.#onConnected = listener;
  }

  /** Sets what is called when a fault of L1's pool has met a transaction. */
  onPoolFault(listener: (match: PoolFaultMatch) => void): void {
    this.#onPoolFault = listener;
  }

  tellPoolFault(match: PoolFaultMatch): void {
    this.#onPoolFault(match);
  }

  connected(task: string): void {
    this.#onConnected(task);
  }

  receive(task: string | undefined, id: number, answer: L1Answer | Error): void {
    const request = this.#open.get(id);
    if (request?.task === task) request?.settle(answer);
  }

  lose(task: string): void {
    for (const request of this.#open.values()) if (request.task === task) request.settle(new Error(`${task} ended`));
  }
}
