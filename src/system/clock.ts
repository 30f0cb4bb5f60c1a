import { readFileSync } from 'node:fs';

/** Where chain time comes from. JWT and timeouts stay on the wall clock; all chain time is read here. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds that this clock is ahead of the wall clock. */
  readonly offset: number;
  /** Calls back after the clock was moved. Returns the unsubscription. */
  onMoved(listener: () => void): () => void;
  close(): void;
}

/** The wall clock. */
export function wallClock(): Clock {
  return { now: () => Date.now(), offset: 0, onMoved: () => () => {}, close: () => {} };
}

/** Milliseconds between two reads of the clock file. */
const POLL_MS = 200;

/**
 * The network clock: wall time plus the offset in a file.
 * The file holds `{"offsetMs": n}`. The supervisor owns it and replaces it in one step. It is read again and again:
 * watching by inode loses replaced files on some systems, and `watchFile` misses a change before its first stat.
 */
export function networkClock(file: string): Clock {
  const listeners = new Set<() => void>();
  let offset = readOffset(file) ?? 0;
  const timer = setInterval(() => {
    const next = readOffset(file);
    if (next === undefined || next === offset) return;
    offset = next;
    for (const listener of listeners) listener();
  }, POLL_MS).unref();
  return {
    now: () => Date.now() + offset,
    get offset() {
      return offset;
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}

function readOffset(file: string): number | undefined {
  try {
    const { offsetMs } = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs?: unknown };
    return typeof offsetMs === 'number' && Number.isFinite(offsetMs) ? offsetMs : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the clock reaches `time` (ms), also when it is moved past it; false when aborted. */
export async function reach(clock: Clock, time: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const left = time - clock.now();
    if (left <= 0) return true;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unsubscribe();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(left, 2 ** 30));
      const unsubscribe = clock.onMoved(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
  return false;
}
