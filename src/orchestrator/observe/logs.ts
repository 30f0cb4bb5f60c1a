import { setTimeout as sleep } from 'node:timers/promises';
import { printable, readRange, sizeOf } from '../../system/lines.ts';
import { DROPPED, generationOf, isRotating, olderPart } from '../../system/rotate.ts';

export interface LogFile {
  readonly task: string;
  readonly path: string;
}

export interface LogFilter {
  readonly pattern?: RegExp;
  /** Unix milliseconds. */
  readonly since?: number;
}

/** Bytes per read. */
const CHUNK = 1024 * 1024;

/** Position up to which a log was read, at the end of a whole line. */
export interface Position {
  readonly offset: number;
  /** Identity of the older part at that time. Another one means that the log was rotated since. */
  readonly generation: string | undefined;
}

/**
 * Prints the logs one after another, older parts first. With several tasks each line follows the name of its task.
 */
export function readLogs(
  logs: readonly LogFile[],
  filter: LogFilter,
  print: (line: string) => void,
): Map<string, Position> {
  return new Map(
    logs.map((log) => {
      const say = printer(logs, log, print);
      const generation = generationOf(log.path);
      readOn(olderPart(log.path), 0, sizeOf(olderPart(log.path)), filter, say);
      return [log.path, { offset: readOn(log.path, 0, sizeOf(log.path), filter, say), generation }];
    }),
  );
}

/** Prints lines written after the positions, until aborted. */
export async function followLogs(
  logs: readonly LogFile[],
  positions: Map<string, Position>,
  filter: LogFilter,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const log of logs)
      positions.set(log.path, follow(log, positions.get(log.path), filter, printer(logs, log, print)));
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
}

function follow(
  { path }: LogFile,
  before: Position = { offset: 0, generation: undefined },
  filter: LogFilter,
  print: (line: string) => void,
): Position {
  const size = sizeOf(path);
  // Rotation empties the log before its older part has its name, for long where the machine is busy.
  if (size < before.offset && isRotating(path)) return before;
  const generation = generationOf(path);
  if (generation === before.generation) {
    if (size === before.offset) return before;
    if (size < before.offset) return { generation, offset: readOn(path, 0, size, filter, print) };
    return { generation, offset: readOn(path, before.offset, size, filter, print) };
  }
  const older = olderPart(path);
  const isWhole = !readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED);
  readOn(older, isWhole ? before.offset : 0, sizeOf(older), filter, print);
  return { generation, offset: readOn(path, 0, sizeOf(path), filter, print) };
}

function printer(logs: readonly LogFile[], log: LogFile, print: (line: string) => void): (line: string) => void {
  return logs.length === 1 ? print : (line) => print(`${log.task}  ${line}`);
}

function readOn(
  path: string,
  from: number,
  to: number,
  { pattern, since }: LogFilter,
  print: (line: string) => void,
): number {
  let time = since === undefined ? Number.POSITIVE_INFINITY : 0;
  let at = from;
  while (at < to) {
    const bytes = readRange(path, at, Math.min(CHUNK, to - at));
    const end = bytes.lastIndexOf(10) + 1;
    const whole = end > 0 ? end : bytes.length < CHUNK ? 0 : bytes.length;
    if (whole === 0) break;
    for (const line of bytes.toString('utf8', 0, whole).replace(/\n$/, '').split('\n')) {
      time = since === undefined ? time : (timeOf(line) ?? time);
      if ((since === undefined || time >= since) && (pattern === undefined || pattern.test(line)))
        print(printable(line));
    }
    at += whole;
  }
  return at;
}

/** Reads the timestamp of a line in the usual formats. A line without one belongs to the line before. */
function timeOf(line: string): number | undefined {
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/.exec(line.slice(0, 120))?.[0];
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}
