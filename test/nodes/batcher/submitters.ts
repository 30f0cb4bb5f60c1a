import { afterEach, beforeEach, vi } from 'vitest';
import { batching, drain } from './scripted.ts';

export type Batching = Awaited<ReturnType<typeof batching>>;

type Start = (options?: Parameters<typeof batching>[0]) => Promise<Batching>;

/**
 * Gives the tests of a file batchers on timers that stand, and stops those that a test leaves. `started` waits until
 * the batcher has polled, `unpolled` does not.
 */
export function useSubmitters(): { readonly started: Start; readonly unpolled: Start } {
  const running: Batching[] = [];
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(async () => {
    for (const { submitter } of running.splice(0)) await submitter.stop();
    vi.useRealTimers();
  });
  const unpolled: Start = async (options) => {
    const batcher = await batching(options);
    running.push(batcher);
    return batcher;
  };
  return {
    unpolled,
    async started(options) {
      const batcher = await unpolled(options);
      await batcher.rested();
      await drain();
      return batcher;
    },
  };
}
