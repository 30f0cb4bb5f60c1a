/** What a finished job came to. */
export type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error };

/** One job at a time that runs beside the driver's steps, so that waiting for L1 or a peer holds up nothing else. */
export interface BackgroundJob<Value> {
  readonly isRunning: boolean;
  start(job: () => Promise<Value>): void;
  /** The result, which stays. */
  peek(): Settled<Value> | undefined;
  /** The result, once. */
  take(): Settled<Value> | undefined;
  /** Resolves when nothing runs; the result is thrown away. */
  discard(): Promise<void>;
  /** Throws the result away when it comes, without waiting. */
  cancel(): void;
}

/** `onSettled` is called when a job ends. */
export function backgroundJob<Value>(onSettled: () => void): BackgroundJob<Value> {
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
      const settle = (settled: Settled<Value>) => {
        if (mine !== generation) return;
        running = undefined;
        result = settled;
        onSettled();
      };
      running = job().then(
        (value) => settle({ ok: true, value }),
        (error: unknown) => settle({ ok: false, error: error instanceof Error ? error : new Error(String(error)) }),
      );
    },
    peek: () => result,
    take() {
      const taken = result;
      result = undefined;
      return taken;
    },
    async discard() {
      await running;
      result = undefined;
    },
    cancel() {
      generation++;
      running = undefined;
      result = undefined;
    },
  };
}
