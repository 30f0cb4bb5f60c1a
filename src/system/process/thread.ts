import { parentPort, Worker } from 'node:worker_threads';

/** A request to a thread and the thread's answer, both under one id. */
interface Request<T> {
  readonly id: number;
  readonly value: T;
}
type Reply<T> = { readonly id: number; readonly value: T } | { readonly id: number; readonly failure: string };

/**
 * Starts a thread that answers requests in their order. It does not keep the process alive, but a request does.
 * The function that asks it rejects with the text of an error there, and when the thread has ended.
 * @param script a script that calls `serveThread`
 */
export function startThread<Value, Result>(script: URL): (value: Value) => Promise<Result> {
  const pending = new Map<number, PromiseWithResolvers<Result>>();
  const worker = new Worker(script);
  worker.unref();
  let requests = 0;
  let end: Error | undefined;
  const fail = (error: Error) => {
    end ??= error;
    for (const { reject } of pending.values()) reject(end);
    pending.clear();
  };
  worker.on('message', (reply: Reply<Result>) => {
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    if (pending.size === 0) worker.unref();
    if ('value' in reply) request?.resolve(reply.value);
    else request?.reject(new Error(reply.failure));
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => fail(new Error(`a thread ended with code ${code}: ${script.pathname}`)));
  return (value) => {
    if (end !== undefined) return Promise.reject(end);
    const request = Promise.withResolvers<Result>();
    const id = requests++;
    pending.set(id, request);
    worker.ref();
    worker.postMessage({ id, value } satisfies Request<Value>);
    return request.promise;
  };
}

/**
 * Answers the requests of the thread that started this one.
 * @throws Error on the main thread
 */
export function serveThread<Value, Result>(answer: (value: Value) => Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('this script is the body of a thread');
  port.on('message', async ({ id, value }: Request<Value>) => {
    let reply: Reply<Result>;
    try {
      reply = { id, value: await answer(value) };
    } catch (error) {
      reply = { id, failure: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(reply);
  });
}
