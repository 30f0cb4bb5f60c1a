import { type Channel, UNSUPERVISED } from '../../../../src/system/channel/channel.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Channel {
  moveTo(ms: number): void;
}

export function manualClock(start: number): ManualClock {
  const listeners = new Set<() => void>();
  let now = start;
  return {
    now: () => now,
    elapsed: () => now,
    ...UNSUPERVISED,
    wallUntil: (time) => Math.max(0, time - now),
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
    moveTo(ms) {
      now = ms;
      for (const listener of listeners) listener();
    },
  };
}

/** Runs everything that is ready to run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
