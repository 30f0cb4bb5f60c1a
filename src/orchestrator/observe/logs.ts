import { setTimeout as sleep } from 'node:timers/promises';
import { printable, readRange, sizeOf } from '../../system/lines.ts';

export interface LogFile {
  readonly task: string;
  readonly path: string;
}

export interface LogFilter {
  readonly pattern?: RegExp;
  /** Unix milliseconds. */
  readonly since?: number;
}

/** Bytes read at once. */
const CHUNK = 1024 * 1024;

/**
 * Prints what the logs hold, one after another, each line after its task where there are several. Returns how far each was read: up to its
 * last whole line.
 */
export function readLogs(
  logs: readonly LogFile[],
  filter: LogFilter,
  print: (line: string) => void,
): Map<string, number> {
  return new Map(logs.map((log) => [log.path, readOn(log, 0, sizeOf(log.path), filter, printer(logs, log, print))]));
}

/** Goes on printing what is written, until aborted. A log that became shorter is read from its start again. */
export async function followLogs(
  logs: readonly LogFile[],
  positions: Map<string, number>,
  filter: LogFilter,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const log of logs) {
      const size = sizeOf(log.path);
      const from = positions.get(log.path) ?? 0;
      if (size !== from)
        positions.set(log.path, readOn(log, size < from ? 0 : from, size, filter, printer(logs, log, print)));
    }
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
}

function printer(logs: readonly LogFile[], log: LogFile, print: (line: string) => void): (line: string) => void {
  return logs.length === 1 ? print : (line) => print(`${log.task}  ${line}`);
}

function readOn(
  log: LogFile,
  from: number,
  to: number,
  { pattern, since }: LogFilter,
  print: (line: string) => void,
): number {
  let time = since === undefined ? Number.POSITIVE_INFINITY : 0;
  let at = from;
  while (at < to) {
    const bytes = readRange(log.path, at, Math.min(CHUNK, to - at));
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

/** The time that a line tells of itself, as the usual formats write it; a line without one belongs to the line before. */
function timeOf(line: string): number | undefined {
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/.exec(line.slice(0, 120))?.[0];
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}
