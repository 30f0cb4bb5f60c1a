import type { MarkListener, TraceMark } from '../../system/channel/trace-marks.ts';
import type { Connections } from './connections.ts';

/** The trace service of a network's channel: takes marks of the processes while one or more listeners follow. */
export class TraceService {
  readonly #connections: Connections;
  readonly #listeners = new Set<MarkListener>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Calls back for each mark from now on. Returns the end: with the last listener, processes mark no more. */
  follow(listener: MarkListener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#switch();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#switch();
    };
  }

  connected(task: string): void {
    if (this.#listeners.size > 0) this.#connections.send(task, { traces: true });
  }

  receive(task: string | undefined, mark: TraceMark): void {
    if (task === undefined) return;
    for (const listener of [...this.#listeners]) listener(task, mark);
  }

  #switch(): void {
    const traces = this.#listeners.size > 0;
    for (const task of this.#connections.tasks()) this.#connections.send(task, { traces });
  }
}
