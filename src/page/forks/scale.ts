/** Columns (px) before the time line, for the names of the nodes. */
export const LEFT = 150;
/** Width (px) for the label of the last mark, and for that of a fork that never comes. */
export const LABEL = 110;
/** Width (px) of the time itself, at least. */
const MIN_TIME = 60;

/** Where times stand on a time line, in px. */
export interface Scale {
  /** The end of the time. */
  readonly end: number;
  /** Returns the place of a time. `null`, which never comes, stands beyond the end. */
  x(time: number | null): number;
}

/** Spreads times over a width. A narrow one leaves out space for labels, and time still runs to the right. */
export function scaleOf(times: readonly (number | null)[], width: number): Scale {
  const moments = times.filter((time) => time !== null);
  const hasNever = moments.length < times.length;
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const end = Math.max(LEFT + MIN_TIME, width - LABEL - (hasNever ? LABEL : 0));
  const never = Math.max(width - LABEL, end + MIN_TIME / 2);
  return {
    end,
    x: (time) => (time === null ? never : LEFT + ((time - first) / Math.max(1, last - first)) * (end - LEFT)),
  };
}
