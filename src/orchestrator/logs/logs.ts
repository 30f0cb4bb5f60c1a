import { setTimeout as sleep } from 'node:timers/promises';
import { printable, readRange, sizeOf } from '../../system/files/lines.ts';
import { DROPPED, generationOf, isRotating, olderPart } from '../../system/files/rotate.ts';
import { type LogPart, linesOfParts, mergeLines } from './log-parts.ts';

export interface LogFile {
  readonly task: string;
  readonly path: string;
}

export interface LogFilter {
  readonly pattern?: RegExp;
  /** Unix milliseconds. */
  readonly since?: number;
}

/** Position up to which a log was read, at the end of a whole line. */
export interface Position {
  readonly offset: number;
  /** Identity of the older part at that time. Another one means that the log was rotated since. */
  readonly generation: string | undefined;
}

/**
 * Prints the logs merged by time, older parts first. The lines of one log keep their order. With several tasks each
 * line follows the name of its task. Returns the positions by path.
 */
export function readLogs(
  logs: readonly LogFile[],
  filter: LogFilter,
  print: (line: string) => void,
): Map<string, Position> {
  const ranges = logs.map(({ path }): Range => {
    const generation = generationOf(path);
    const older = olderPart(path);
    const parts = [older, path].map((part) => ({ path: part, from: 0, to: sizeOf(part) }));
    return { generation, parts };
  });
  return printRanges(logs, ranges, filter, print);
}

/** Prints lines written after the positions, until aborted, whatever their time. Merges the lines of one poll. */
export async function followLogs(
  logs: readonly LogFile[],
  positions: Map<string, Position>,
  { pattern }: LogFilter,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ranges = logs.map(({ path }) => rangeSince(path, positions.get(path)));
    const filter = pattern === undefined ? {} : { pattern };
    for (const [path, position] of printRanges(logs, ranges, filter, print)) positions.set(path, position);
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
}

/** Parts of a log that are read, the log itself last. */
interface Range {
  readonly generation: string | undefined;
  readonly parts: readonly LogPart[];
}

function printRanges(
  logs: readonly LogFile[],
  ranges: readonly Range[],
  { pattern, since }: LogFilter,
  print: (line: string) => void,
): Map<string, Position> {
  const now = Date.now();
  const offsets = mergeLines(
    ranges.map(({ parts }) => linesOfParts(parts, now)),
    ({ at, text }, log) => {
      if ((since !== undefined && at < since) || pattern?.test(text) === false) return;
      print(logs.length === 1 ? printable(text) : `${logs[log]?.task}  ${printable(text)}`);
    },
  );
  return new Map(
    logs.map(({ path }, log) => [path, { offset: offsets[log] ?? 0, generation: ranges[log]?.generation }]),
  );
}

function rangeSince(path: string, before: Position = { offset: 0, generation: undefined }): Range {
  const size = sizeOf(path);
  const { offset } = before;
  // Rotation empties the log before its older part has its name, for long if the machine is busy.
  if (size < offset && isRotating(path)) return { ...before, parts: [{ path, from: offset, to: offset }] };
  const generation = generationOf(path);
  if (generation === before.generation) {
    const from = size < offset ? 0 : offset;
    return { generation, parts: [{ path, from, to: size }] };
  }
  const older = olderPart(path);
  const isWhole = !readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED);
  return {
    generation,
    parts: [
      { path: older, from: isWhole ? offset : 0, to: sizeOf(older) },
      { path, from: 0, to: sizeOf(path) },
    ],
  };
}
