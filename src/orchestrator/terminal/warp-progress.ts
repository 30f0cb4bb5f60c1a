import { isoTime } from '../status/forks.ts';
import { spanOf } from '../status/problem-lines.ts';

/** How far a warp is. Times are Unix milliseconds of the network's clock. */
interface WarpProgress {
  readonly from: number;
  readonly at: number;
  readonly to: number;
  /** Time (ms) since the warp began, by the wall clock. */
  readonly elapsed: number;
  /** Seconds between two blocks of the fastest chain. */
  readonly blockTime: number;
}

/** Time (ms) below which a speed says nothing yet. */
const MEASURED_MS = 500;

/** Formats the progress of a warp as one line: its clock, its speed and the time that is left. */
export function warpProgressText({ from, at, to, elapsed, blockTime }: WarpProgress): string {
  const done = at - from;
  const share = `${isoTime(Math.floor(at / 1000))}, ${Math.floor((done / Math.max(1, to - from)) * 100)} %`;
  if (elapsed < MEASURED_MS || done <= 0) return share;
  const blocks = done / 1000 / blockTime / (elapsed / 1000);
  const left = ((to - at) / done) * elapsed;
  return `${share}, ${blocks < 10 ? blocks.toFixed(1) : Math.round(blocks)} blocks/s, ${spanOf(left)} left`;
}
