import { parentPort, Worker, workerData } from 'node:worker_threads';

/** A worker thread of this process that runs its own program. Messages must be structured-cloneable. */
export interface Thread<Sent> {
  post(message: Sent): void;
  /** Resolves when the thread has ended, with the error that ended it. */
  readonly ended: Promise<Error | undefined>;
  /** Terminates it at any point. */
  stop(): Promise<void>;
}

/** Starts a thread. It does not keep the process alive. */
export function startThread<Sent, Received>(
  entry: string,
  data: unknown,
  onMessage: (message: Received) => void,
): Thread<Sent> {
  const worker = new Worker(entry, { workerData: data });
  worker.unref();
  worker.on('message', onMessage);
  let failure: Error | undefined;
  worker.on('error', (error: Error) => {
    failure = error;
  });
  const ended = new Promise<Error | undefined>((resolve) => worker.once('exit', () => resolve(failure)));
  return {
    post: (message) => worker.postMessage(message),
    ended,
    async stop() {
      await worker.terminate();
    },
  };
}

/**
 * Returns the start data of the current worker thread and its channel to the starter. @throws outside a worker thread
 */
export function insideThread<Data, Sent, Received>(): {
  readonly data: Data;
  post(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
} {
  const port = parentPort;
  if (port === null) throw new Error('this program is a thread of another and does not run by itself');
  return {
    data: workerData as Data,
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
  };
}
