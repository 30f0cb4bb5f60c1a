import type { Logger } from '../../system/program/log.ts';

/** Shortest time between two warnings, ms of the wall clock. */
const WARNING_INTERVAL_MS = 30_000;

/** Logs a warning, unless another one was logged shortly before. */
export type LimitedWarning = (message: string, fields: Record<string, unknown>) => void;

/** Creates a warning that is logged at a limited rate, whatever its message. */
export function limitedWarning(log: Logger): LimitedWarning {
  let last = Number.NEGATIVE_INFINITY;
  return (message, fields) => {
    const now = performance.now();
    if (now - last < WARNING_INTERVAL_MS) return;
    last = now;
    log.warn(message, fields);
  };
}
