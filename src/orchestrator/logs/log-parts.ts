import { readRange } from '../../system/files/lines.ts';
import { timeOfLine } from '../../system/program/line-time.ts';

/** Bytes per read. */
const READ_BYTES = 1024 * 1024;

/** Bytes of a file that are read. */
export interface LogPart {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** A line and its moment (Unix ms): its timestamp, else that of the line before, -Infinity before the first one. */
export interface TimedLine {
  readonly at: number;
  readonly text: string;
}

/**
 * Reads the lines of parts of one log, the oldest first, one chunk in memory at a time. Returns the position in the
 * last part at the end of its last whole line: the rest of that line may not be written yet. An older part grows no
 * more, and may end within a line.
 */
export function* linesOfParts(parts: readonly LogPart[], now: number): Generator<TimedLine, number> {
  let at = Number.NEGATIVE_INFINITY;
  let position = 0;
  for (const [index, { path, from, to }] of parts.entries()) {
    const isOlder = index < parts.length - 1;
    position = from;
    while (position < to) {
      const bytes = readRange(path, position, Math.min(READ_BYTES, to - position));
      const end = bytes.lastIndexOf(10) + 1;
      const whole = end > 0 ? end : isOlder || bytes.length === READ_BYTES ? bytes.length : 0;
      if (whole === 0) break;
      for (const text of bytes.toString('utf8', 0, whole).replace(/\n$/, '').split('\n')) {
        at = timeOfLine(text, now) ?? at;
        yield { at, text };
      }
      position += whole;
    }
  }
  return position;
}

/** Calls `each` with the lines of several logs in the order of their moments. Returns the end position of each log. */
export function mergeLines(
  logs: readonly Iterator<TimedLine, number>[],
  each: (line: TimedLine, log: number) => void,
): number[] {
  const next = logs.map((log) => log.next());
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [index, { done, value }] of next.entries()) {
      if (done === true || (first >= 0 && value.at >= earliest)) continue;
      first = index;
      earliest = value.at;
    }
    const [log, item] = [logs[first], next[first]];
    if (log === undefined || item === undefined || item.done === true)
      return next.map(({ done, value }) => (done === true ? value : 0));
    each(item.value, first);
    next[first] = log.next();
  }
}
