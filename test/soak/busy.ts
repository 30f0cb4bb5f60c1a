import { Worker } from 'node:worker_threads';

/** Starts threads that compute until they are disposed. */
export function busy(threads: number): Disposable {
  const workers = Array.from(
    { length: threads },
    () => new Worker('for (;;) Math.sqrt(Math.random());', { eval: true }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const worker of workers) void worker.terminate();
    },
  };
}
