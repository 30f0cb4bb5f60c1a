import type { Activity, Quiesce } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';

/** An attempt after a failure, at a time of `elapsed()` of the clock. */
export interface Retry {
  readonly retryAt: number;
  /** It waits for a server that is away: the clock may move meanwhile. */
  readonly isIdle?: boolean;
}

/**
 * Time of a deriver's next step: `again` for at once, milliseconds of the network clock, a retry, or `null` for the
 * next event.
 */
export type NextStep = 'again' | number | Retry | null;

/**
 * A unit of the driver's work (op-node: `Deriver`, kona: `NodeActor`).
 * Steps of all derivers are serial, so that the engine has one caller.
 * A wait for L1 or a peer runs as a background job and wakes the loop.
 */
export interface Deriver {
  readonly name: string;
  step(): Promise<NextStep>;
}

/**
 * Runs the derivers in their order until aborted (op-node: `eventLoop`).
 * Sleeps until the earliest next step or an event.
 */
export class EventLoop {
  /** Resolves after the signal aborts. Rejects when a deriver throws: derivers throw unrecoverable failures only. */
  readonly done: Promise<void>;
  readonly #derivers: readonly Deriver[];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #activity: Activity;
  readonly #tasks: (() => Promise<void>)[] = [];
  #isWoken = true;
  #endSleep: (() => void) | undefined;

  /** Starts the loop. */
  constructor(derivers: readonly Deriver[], clock: Clock & Quiesce, log: Logger, signal: AbortSignal) {
    this.#derivers = derivers;
    this.#clock = clock;
    this.#signal = signal;
    this.#activity = clock.activity();
    this.#activity.busy();
    const wake = () => this.wake();
    const unsubscribe = clock.onMoved(wake);
    signal.addEventListener('abort', wake, { once: true });
    this.done = this.#main().finally(() => {
      unsubscribe();
      log.debug('driver stopped');
    });
  }

  /** Runs a step of every deriver. */
  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Runs a task alone, between two steps of the derivers. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#tasks.push(() => task().then(resolve, reject));
      this.wake();
    });
  }

  /** Stops between two steps of the derivers. Resolves with a function that continues the loop. */
  async hold(): Promise<() => void> {
    const stands = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const pause = this.run(() => {
      stands.resolve();
      return goesOn.promise;
    });
    pause.catch(() => {});
    await stands.promise;
    return goesOn.resolve;
  }

  async #main(): Promise<void> {
    const signal = this.#signal;
    while (!signal.aborted) {
      this.#isWoken = false;
      const task = this.#tasks.shift();
      if (task) {
        await task();
        this.#isWoken = true;
        continue;
      }
      let wallMs = Number.POSITIVE_INFINITY;
      let isRetry = false;
      for (const deriver of this.#derivers) {
        const next = await deriver.step();
        if (signal.aborted) return;
        if (next === 'again') this.#isWoken = true;
        else if (typeof next === 'number') wallMs = Math.min(wallMs, this.#clock.wallUntil(next));
        else if (next !== null) {
          isRetry ||= next.isIdle !== true;
          wallMs = Math.min(wallMs, Math.max(0, next.retryAt - this.#clock.elapsed()));
        }
      }
      if (!this.#isWoken && this.#tasks.length === 0) await this.#sleep(wallMs, isRetry);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Sleeps until a wall time from now, or an event. A loop that waits for a retry is busy, unless that is idle. */
  async #sleep(wallMs: number, isRetry: boolean): Promise<void> {
    if (!isRetry && wallMs > 0) this.#activity.idle();
    await new Promise<void>((resolve) => {
      const timer = wallMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, Math.min(wallMs, 2 ** 30));
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endSleep = undefined;
    this.#activity.busy();
  }
}
