import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { terminalText } from '../program/terminal-text.ts';
import { olderPart } from './rotate.ts';

/** Characters of a line that are printed. */
const MAX_LINE_CHARS = 4000;

/** Bytes at the end of a log that are read for its last lines, whatever its size. */
const MAX_TAIL_BYTES = 64 * 1024;

/**
 * Returns the last lines of a log, not before byte `from`. Empty if there is none.
 * Includes lines of the older part if the log was rotated since.
 */
export function lastLines(path: string, count: number, from = 0): string[] {
  const lines = linesOf(readFrom(path, from, MAX_TAIL_BYTES), count);
  if (from > 0 || lines.length >= count) return lines;
  return [...linesOf(readFrom(olderPart(path), 0, MAX_TAIL_BYTES), count - lines.length), ...lines];
}

function linesOf(text: string, count: number): string[] {
  return text
    .split('\n')
    .slice(-count - 1)
    .map(printable)
    .filter((line, at, all) => line !== '' || at < all.length - 1)
    .slice(-count);
}

/** Returns the end of a file, at most `most` bytes and not before byte `from`. */
export function readFrom(path: string, from: number, most: number): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(from, size - most, 0);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const length = readSync(fd, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, length);
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}

/** Returns the size of a file in bytes, 0 if there is none. */
export function sizeOf(path: string): number {
  try {
    const fd = openSync(path, 'r');
    try {
      return fstatSync(fd).size;
    } finally {
      closeSync(fd);
    }
  } catch {
    return 0;
  }
}

/**
 * Returns a line without what could steer a terminal: escape sequences and control characters are removed.
 * Of a longer line it returns at most 4,000 characters, with a note of its length.
 */
export function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = line.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/\r$/, '');
  // A line of control characters would be six times as long.
  const safe = terminalText(plain.slice(0, MAX_LINE_CHARS).replace(/[\t\n]/g, ' '));
  const isWhole = plain.length <= MAX_LINE_CHARS && safe.length <= MAX_LINE_CHARS;
  return isWhole ? safe : `${safe.slice(0, MAX_LINE_CHARS)}… (${plain.length} characters)`;
}

/** Returns the bytes of a file from a position on. Fewer if it ends earlier. */
export function readRange(path: string, from: number, length: number): Buffer {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(fd, buffer, 0, length, from));
  } finally {
    closeSync(fd);
  }
}
