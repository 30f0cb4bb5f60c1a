import { parentPort, Worker, workerData } from 'node:worker_threads';

/** A thread of this process that runs a program of its own; the two send each other what can be cloned. */
export interface Thread<Sent> {
  post(message: Sent): void;
  /** Resolves when the thread has ended, with the error that ended it. */
  readonly ended: Promise<Error | undefined>;
  /** Ends it wherever it is. */
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

/** In a thread: what it was started with, and the way to who started it. @throws where this is no such thread */
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
