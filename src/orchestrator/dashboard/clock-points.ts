import type { ClockPoint, Picture } from './picture-type.ts';

/** Points that are kept: the newest. A clock with another rate adds one with each picture. */
const MAX_POINTS = 3600;
/** Seconds by which the clock must have moved, so that rounding adds no point. */
const MIN_MOVE_SECONDS = 1;

/** Adds a point when the network's clock has moved against the machine's since the last one. */
export function nextPoints(points: readonly ClockPoint[], { at, clock }: Picture): readonly ClockPoint[] {
  const ahead = (clock.at - at) / 1000;
  const last = points.at(-1);
  if (last !== undefined && Math.abs(ahead - last.ahead) < MIN_MOVE_SECONDS) return points;
  return [...points.slice(1 - MAX_POINTS), { at: at / 1000, ahead }];
}
