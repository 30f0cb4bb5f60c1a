import { DevnetError } from './errors.ts';

/** The bound on the calls of a handle. */
export interface CallScope {
  /** Runs work whose signal is aborted when the scope ends. @throws DevnetError `test-ended` as soon as it has ended */
  run<T>(work: (over: AbortSignal) => Promise<T>): Promise<T>;
  /** @throws DevnetError `test-ended` after the scope's end */
  mustBeOpen(): void;
}

/** The scope of calls that only the network's end bounds. */
export const UNBOUND: CallScope = {
  run: (work) => work(new AbortController().signal),
  mustBeOpen: () => undefined,
};

/** The scope of a test. What the test began ends with it, also if the test timed out and its code runs on. */
export interface TestScope extends CallScope {
  /** Ends all calls and resolves when each is over. No further call begins. */
  end(): Promise<void>;
}

/** Opens the scope of a test. */
export function testScope(): TestScope {
  const ending = new AbortController();
  const working = new Set<Promise<unknown>>();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  return {
    async run(work) {
      ending.signal.throwIfAborted();
      const result = work(ending.signal);
      working.add(result);
      const done = () => void working.delete(result);
      result.then(done, done);
      return Promise.race([result, over.promise]);
    },
    mustBeOpen: () => ending.signal.throwIfAborted(),
    async end() {
      const reason = new DevnetError('test-ended', 'the test that made this call has ended', {
        hint: 'await the call within the test, and raise the timeout of the test where it needs longer',
      });
      over.reject(reason);
      ending.abort(reason);
      await Promise.allSettled(working);
    },
  };
}
