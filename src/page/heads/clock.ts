import type { ClockPoint } from '../../orchestrator/dashboard/picture-type.ts';

/** Seconds by which the clock moves at a point that is part of a warp, and in a whole warp. */
const [MIN_STEP_SECONDS, MIN_WARP_SECONDS] = [3, 10];
/** Seconds between two points of one warp. It builds every block in between, and each picture shows a part of it. */
const MAX_PAUSE_SECONDS = 3;

/** Returns the network's time (Unix s) at a time of the machine. */
export function networkTime(points: readonly ClockPoint[], at: number): number {
  const point = points.findLast((each) => each.at <= at) ?? points[0];
  return at + (point?.ahead ?? 0);
}

/** A jump of the network's clock. */
export interface Warp {
  /** Unix seconds of the machine. */
  readonly at: number;
  readonly seconds: number;
}

/** Lists the warps of the network's clock, each where it begins. */
export function warpsIn(points: readonly ClockPoint[]): readonly Warp[] {
  const warps: { at: number; end: number; seconds: number }[] = [];
  for (const [index, { at, ahead }] of points.entries()) {
    const before = points[index - 1];
    const seconds = before === undefined ? 0 : ahead - before.ahead;
    if (Math.abs(seconds) < MIN_STEP_SECONDS) continue;
    const last = warps.at(-1);
    if (last !== undefined && at - last.end <= MAX_PAUSE_SECONDS && Math.sign(last.seconds) === Math.sign(seconds))
      Object.assign(last, { end: at, seconds: last.seconds + seconds });
    else warps.push({ at, end: at, seconds });
  }
  return warps
    .filter(({ seconds }) => Math.abs(seconds) >= MIN_WARP_SECONDS)
    .map(({ at, seconds }) => ({ at, seconds: Math.round(seconds) }));
}
