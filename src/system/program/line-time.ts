/** A timestamp with its zone, as op-node, reth and the programs of this package write it. */
export const ZONED_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/;
/** The timestamp of geth's terminal format: month, day and time of the local zone. */
const GETH_TIME = /\[(\d\d)-(\d\d)\|(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\]/;

/** Characters of a line in which its timestamp stands. */
const MAX_TIMESTAMP_CHARS = 120;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the timestamp of a line (Unix ms) if it names its date and zone. */
export function zonedTimeOf(line: string): number | undefined {
  const time = Date.parse(ZONED_TIME.exec(line.slice(0, MAX_TIMESTAMP_CHARS))?.[0] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Reads the timestamp of a line (Unix ms) in the usual formats. One without year and zone is of the local zone, and of
 * the last year in which it is past at `now` (Unix ms).
 */
export function timeOfLine(line: string, now: number): number | undefined {
  const zoned = zonedTimeOf(line);
  if (zoned !== undefined) return zoned;
  const match = GETH_TIME.exec(line.slice(0, MAX_TIMESTAMP_CHARS));
  if (match === null) return undefined;
  const [month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 6).map(Number);
  const ms = Number((match[6] ?? '0').padEnd(3, '0'));
  const inYear = (year: number) => new Date(year, month - 1, day, hours, minutes, seconds, ms).getTime();
  const year = new Date(now).getFullYear();
  return inYear(year) > now + DAY_MS ? inYear(year - 1) : inYear(year);
}
