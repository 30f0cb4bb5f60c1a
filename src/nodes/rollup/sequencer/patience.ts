import { type Clock, reach } from '../../../system/time/clock.ts';
import { pause } from '../../../system/time/pause.ts';

/** Shortest time (ms of the wall clock) in which L1 must answer for the next origin. */
const MIN_PATIENCE_MS = 250;

/** Says that L1 has not answered in time. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/**
 * Resolves as the work does. Rejects with `LateError` if it takes longer than `ms` of the clock: one that stands has
 * all the time that L1 needs, so that equal runs choose equal origins.
 */
export async function inTime<Value>(work: Promise<Value>, clock: Clock, ms: number): Promise<Value> {
  const over = new AbortController();
  const late = Promise.all([reach(clock, clock.now() + ms, over.signal), pause(MIN_PATIENCE_MS, over.signal)]);
  try {
    return await Promise.race([
      work,
      late.then(() => {
        throw new LateError(`no answer within ${ms} ms of the clock`);
      }),
    ]);
  } finally {
    over.abort();
  }
}
