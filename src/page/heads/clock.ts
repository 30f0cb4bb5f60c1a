import type { ClockPoint } from '../../orchestrator/dashboard/picture-type.ts';

/** Seconds that the clock must jump at once to count as a warp. A higher rate moves it by less with each picture. */
const MIN_WARP_SECONDS = 30;

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

/** Lists the jumps of the network's clock. */
export function warpsIn(points: readonly ClockPoint[]): readonly Warp[] {
  return points.flatMap(({ at, ahead }, index) => {
    const before = points[index - 1];
    const seconds = before === undefined ? 0 : Math.round(ahead - before.ahead);
    return Math.abs(seconds) < MIN_WARP_SECONDS ? [] : [{ at, seconds }];
  });
}
