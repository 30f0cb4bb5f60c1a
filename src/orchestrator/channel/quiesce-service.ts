import type { IdleReport } from '../../system/channel/messages.ts';
import type { Connections } from './connections.ts';
import { Requests } from './requests.ts';

/** The quiesce service of a network's channel: whether each process is done with a step, and its memory on disk. */
export class QuiesceService {
  readonly #connections: Connections;
  readonly #reports = new Map<string, IdleReport | undefined>();
  readonly #listeners = new Set<() => void>();
  readonly #flushes = new Requests();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Last report by task; undefined before a task's first one. Only connected tasks are present. */
  reports(): ReadonlyMap<string, IdleReport | undefined> {
    return this.#reports;
  }

  /** Calls back after a report, a connection or its end. Returns the unsubscription. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Has every connected process write to its data folder what it holds only in memory.
   * @throws Error with the process that did not
   */
  flush(): Promise<void> {
    return this.#flushes.send(this.#connections.tasks(), 'write its state', (task, keep) => {
      this.#connections.send(task, { keep });
    });
  }

  connected(task: string): void {
    this.#reports.set(task, undefined);
    this.#changed();
  }

  receive(task: string, report: IdleReport): void {
    this.#reports.set(task, report);
    this.#changed();
  }

  flushed(task: string | undefined, id: number, error: string | undefined): void {
    this.#flushes.receive(task, id, error);
  }

  lose(task: string): void {
    this.#reports.delete(task);
    this.#flushes.lose(task);
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
