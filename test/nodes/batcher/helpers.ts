import { type Channel, UNSUPERVISED } from '../../../src/system/channel/channel.ts';
import { createLogger, type Logger } from '../../../src/system/program/log.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Channel {
  /** Moves to a time in Unix seconds. */
  moveTo(seconds: number): void;
}

export function manualClock(seconds: number): ManualClock {
  let now = seconds * 1000;
  const listeners = new Set<() => void>();
  return {
    now: () => now,
    elapsed: () => now,
    ...UNSUPERVISED,
    wallUntil: (time) => Math.max(0, time - now),
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {},
    moveTo(to) {
      now = to * 1000;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** A logger that keeps its lines, in the caller's list if one is given. */
export function memoryLog(lines: string[] = []): { readonly log: Logger; readonly lines: string[] } {
  const log = createLogger({
    level: 'debug',
    format: 'text',
    color: false,
    pid: false,
    write: (line) => void lines.push(line),
  });
  return { log, lines };
}

/** Repeats a check until it returns a value. Fails after 150 s with the given description. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result | undefined | false | null> | Result | undefined | false | null,
): Promise<Result> {
  const deadline = performance.now() + 150_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false && answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`did not come true in 150 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
