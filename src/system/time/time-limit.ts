/** Parts of a limit. Each needs a turn of the event loop. */
const LIMIT_PARTS = 8;

/**
 * Calls `expired` after `ms`, as far as this process ran meanwhile. Returns a function that cancels it.
 * A process that got no processor for seconds runs its timers before it reads the answers that have arrived. So one
 * interruption of the event loop, however long, counts as an eighth of the limit.
 */
export function timeLimit(ms: number, expired: () => void): () => void {
  let left = LIMIT_PARTS;
  const next = () => {
    left--;
    if (left < 0) expired();
    else timer = setTimeout(next, ms / LIMIT_PARTS);
  };
  let timer: NodeJS.Timeout | undefined;
  next();
  return () => clearTimeout(timer);
}
