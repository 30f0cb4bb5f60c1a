import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastLines } from '../../../src/system/files/lines.ts';
import { generationOf, olderPart, rotateLog } from '../../../src/system/files/rotate.ts';

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-rotate-'));
  log = join(folder, 'a.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');
const MAX_LOG_BYTES = 1000;

it('the rotation moves the content to the older part, empties the log and notes it there', async () => {
  writeFileSync(log, lines(1, 150));
  let size = -1;
  expect(await rotateLog(log, MAX_LOG_BYTES, () => (size = statSync(log).size))).toBe(0);
  expect(size).toBe(0);
  expect(readFileSync(olderPart(log), 'utf8')).toBe(lines(1, 150));
  expect(readFileSync(log, 'utf8')).toBe('devnet: log rotated at 1000 bytes; the lines before are in a.log.1\n');
  const first = generationOf(log);
  appendFileSync(log, lines(151, 300));
  await rotateLog(log, MAX_LOG_BYTES, () => undefined);
  expect(generationOf(log)).not.toBe(first);
  expect(readFileSync(olderPart(log), 'utf8')).toContain('line 300\n');
  expect(existsSync(`${olderPart(log)}.tmp`)).toBe(false);
});

it('a log that was never rotated has no generation', async () => {
  writeFileSync(log, lines(1, 150));
  expect(generationOf(log)).toBeUndefined();
  await rotateLog(log, MAX_LOG_BYTES, () => undefined);
  expect(generationOf(log)).toEqual(expect.any(String));
});

it('the rotation keeps the end of a log beyond two limits, and counts the dropped bytes', async () => {
  writeFileSync(log, lines(1, 100_000));
  const { size } = statSync(log);
  expect(await rotateLog(log, MAX_LOG_BYTES, () => undefined)).toBe(size - MAX_LOG_BYTES);
  const older = readFileSync(olderPart(log), 'utf8');
  expect(older).toContain(`devnet: bytes dropped before this line: ${size - MAX_LOG_BYTES}\n`);
  expect(older.endsWith('line 100000\n')).toBe(true);
  expect(readFileSync(log, 'utf8')).toContain(`; ${size - MAX_LOG_BYTES} bytes were dropped`);
});

it('the rotation empties the log also if no copy is possible', async () => {
  writeFileSync(log, lines(1, 150));
  mkdirSync(`${olderPart(log)}.tmp`);
  expect(await rotateLog(log, MAX_LOG_BYTES, () => undefined)).toBe(lines(1, 150).length);
  expect(existsSync(olderPart(log))).toBe(false);
  expect(statSync(log).size).toBeLessThan(200);
});

it('the last lines of a log that was rotated are those of both parts', async () => {
  writeFileSync(log, lines(1, 150));
  await rotateLog(log, MAX_LOG_BYTES, () => undefined);
  appendFileSync(log, lines(151, 152));
  expect(lastLines(log, 5)).toEqual([
    'line 149',
    'line 150',
    expect.stringContaining('rotated'),
    'line 151',
    'line 152',
  ]);
  expect(lastLines(log, 2)).toEqual(['line 151', 'line 152']);
  expect(lastLines(log, 5, statSync(log).size - 9)).toEqual(['line 152']);
});
