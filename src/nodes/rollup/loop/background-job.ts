import type { Activity } from '../../../system/channel/quiesce.ts';
import { asError } from '../../../system/failure.ts';

/** The result of a finished job. */
export type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error };

/** One job at a time that runs beside the event loop. A wait for L1 or a peer blocks no deriver. */
export interface BackgroundJob<Value> {
  readonly isRunning: boolean;
  start(job: () => Promise<Value>): void;
  /** Returns the result and keeps it. */
  peek(): Settled<Value> | undefined;
  /** Returns the result and clears it. */
  take(): Settled<Value> | undefined;
  /** Resolves when the running job ends, at most `ms` of wall time later. */
  wait(ms: number): Promise<void>;
  /** Waits for the job and drops its result. */
  discard(): Promise<void>;
  /** Drops the result without waiting for the job. */
  cancel(): void;
}

/** Creates an idle job. `onSettled` is called when a job ends. `activity` is busy while one runs. */
export function backgroundJob<Value>(onSettled: () => void, activity: Activity): BackgroundJob<Value> {
  let running: Promise<void> | undefined;
  let result: Settled<Value> | undefined;
  let generation = 0;
  return {
    get isRunning() {
      return running !== undefined;
    },
    start(job) {
      const mine = ++generation;
      result = undefined;
      activity.busy();
      const settle = (settled: Settled<Value>) => {
        if (mine !== generation) return;
        running = undefined;
        result = settled;
        onSettled();
        activity.idle();
      };
      running = job().then(
        (value) => settle({ ok: true, value }),
        (error: unknown) => settle({ ok: false, error: asError(error) }),
      );
    },
    peek: () => result,
    take() {
      const outcome = result;
      result = undefined;
      return outcome;
    },
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([running, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
      clearTimeout(timer);
    },
    async discard() {
      await running;
      result = undefined;
    },
    cancel() {
      generation++;
      running = undefined;
      result = undefined;
      activity.idle();
    },
  };
}
