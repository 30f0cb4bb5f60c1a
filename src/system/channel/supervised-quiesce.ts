import { messageAndHint } from '../failure.ts';
import type { Connection } from './connection.ts';
import type { ClockPush } from './messages.ts';
import type { Progress } from './progress.ts';
import type { Activity, Quiesce } from './quiesce.ts';

/** The quiesce service: reports when no part of the program is busy, and flushes its memory when asked. */
export class SupervisedQuiesce implements Quiesce {
  readonly #connection: Connection;
  /** Returns the newest announcement of the clock. */
  readonly #push: () => ClockPush;
  #busyParts = 0;
  #isDue = false;
  #lastReport = '';
  #progress: (() => Progress) | undefined;
  #flush = () => Promise.resolve();

  constructor(connection: Connection, push: () => ClockPush) {
    this.#connection = connection;
    this.#push = push;
  }

  activity(): Activity {
    let isBusy = false;
    const set = (next: boolean) => {
      if (isBusy === next) return;
      isBusy = next;
      this.#busyParts += next ? 1 : -1;
      if (this.#busyParts === 0) this.look();
    };
    return { busy: () => set(true), idle: () => set(false) };
  }

  report(progress: () => Progress): void {
    this.#progress = progress;
    this.look();
  }

  onFlush(flush: () => Promise<void>): void {
    this.#flush = flush;
  }

  /** Forgets what a former supervisor knows. */
  connected(): void {
    this.#lastReport = '';
  }

  /** Reports once the tasks of this turn are over, if none of them made a part busy again. */
  look(): void {
    if (this.#isDue || !this.#push().watched || this.#progress === undefined) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#busyParts > 0 || this.#progress === undefined || !this.#connection.isConnected) return;
      const report = { step: this.#push().step, progress: this.#progress() };
      const text = JSON.stringify(report);
      if (text !== this.#lastReport) this.#connection.send(report);
      this.#lastReport = text;
    });
  }

  /** Writes the state of memory to disk, and says when that is done. */
  async flush(id: number): Promise<void> {
    this.#connection.send(
      await this.#flush().then(
        () => ({ kept: id }),
        (error: unknown) => ({ kept: id, error: messageAndHint(error) }),
      ),
    );
  }
}
