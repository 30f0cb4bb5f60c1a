import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { linesOfParts, mergeLines, type TimedLine } from '../../../src/orchestrator/logs/log-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOW = Date.parse('2026-06-01T00:00:00Z');
const second = (seconds: number) => Date.parse(`2026-01-01T00:00:0${seconds}Z`);
const at = (seconds: number) => `2026-01-01T00:00:0${seconds}Z`;

/** Writes a log and returns it as a part. */
function part(name: string, text: string, from = 0, to = text.length) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return { path, from, to };
}

/** Reads all lines and the position at the end. */
function read(...parts: Parameters<typeof linesOfParts>[0]) {
  const lines: TimedLine[] = [];
  const reader = linesOfParts(parts, NOW);
  for (;;) {
    const { done, value } = reader.next();
    if (done) return { lines, texts: lines.map(({ text }) => text), position: value };
    lines.push(value);
  }
}

describe('the lines of the parts of a log', () => {
  it('have the time of the line before when they have none of their own', () => {
    const older = part('a.1', `without\n${at(1)} one\n  at main\n`);
    const newer = part('a', `  at import\n${at(0)} earlier\n`);
    expect(read(older, newer)).toMatchObject({
      lines: [
        { at: Number.NEGATIVE_INFINITY, text: 'without' },
        { at: second(1), text: `${at(1)} one` },
        { at: second(1), text: '  at main' },
        { at: second(1), text: '  at import' },
        { at: second(0), text: `${at(0)} earlier` },
      ],
      position: 41,
    });
  });

  it('are whole ones: the rest of the last part is read with the next bytes', () => {
    expect(read(part('b', 'one\n\ntwo\nthr'))).toMatchObject({ texts: ['one', '', 'two'], position: 9 });
    expect(read(part('b', 'thr'))).toMatchObject({ texts: [], position: 0 });
  });

  it('are all of an older part, also a last one that the rotation has cut', () => {
    const newer = part('b', 'devnet: log rotated\nee\nfour\n');
    const texts = ['thr', 'devnet: log rotated', 'ee', 'four'];
    expect(read(part('b.1', 'thr'), newer)).toMatchObject({ texts, position: 28 });
    expect(read(part('b.1', 'two\nthr'), newer).texts).toEqual(['two', ...texts]);
    expect(read(part('b.1', 'two\nthr', 4, 6), newer).texts).toEqual(['th', ...texts.slice(1)]);
    expect(read(part('b.1', 'two\n'), part('b', 'thr'))).toMatchObject({ texts: ['two'], position: 0 });
  });

  it('are those between the bounds of a part', () => {
    const text = 'one\ntwo\nthree\n';
    expect(read(part('c', text, 4, 8))).toMatchObject({ texts: ['two'], position: 8 });
    expect(read(part('c', text, 4, 10))).toMatchObject({ texts: ['two'], position: 8 });
    expect(read(part('c', text, 8, 8))).toMatchObject({ texts: [], position: 8 });
    expect(read(part('c', text, 8))).toMatchObject({ texts: ['three'], position: 14 });
  });

  it('are none of a file that is not there or has become shorter', () => {
    expect(read({ path: join(folder, 'none'), from: 0, to: 9 })).toMatchObject({ texts: [], position: 0 });
    expect(read(part('d', 'one\n', 0, 99))).toMatchObject({ texts: ['one'], position: 4 });
    expect(read()).toEqual({ lines: [], texts: [], position: 0 });
  });

  it('are read in chunks of 1 MiB, and a longer line in as many pieces', () => {
    const chunk = 1024 * 1024;
    const long = read(part('e', `${'x'.repeat(2 * chunk)}y\nend\n`));
    expect(long.texts.map(({ length }) => length)).toEqual([chunk, chunk, 1, 3]);
    expect(long.position).toBe(2 * chunk + 6);
    const half = 'z'.repeat(chunk / 2);
    const halves = read(part('e', `${half}\n${half}\nend\n`));
    expect(halves.texts).toEqual([half, half, 'end']);
  });
});

describe('the lines of several logs', () => {
  function* log(position: number, ...times: readonly number[]): Generator<TimedLine, number> {
    for (const time of times) yield { at: time, text: `${position}:${time}` };
    return position;
  }
  const merged = (...logs: readonly Iterator<TimedLine, number>[]) => {
    const calls: [string, number][] = [];
    const ends = mergeLines(logs, ({ text }, index) => calls.push([text, index]));
    return { calls, ends };
  };

  it('come in the order of their times, those of one log in its own', () => {
    expect(merged(log(7, 1, 4, 2), log(8, 3, 5), log(9))).toEqual({
      calls: [
        ['7:1', 0],
        ['8:3', 1],
        ['7:4', 0],
        ['7:2', 0],
        ['8:5', 1],
      ],
      ends: [7, 8, 9],
    });
  });

  it('come in the order of the logs at one time, and before all others without a time', () => {
    const never = Number.NEGATIVE_INFINITY;
    const { calls } = merged(log(1, 5, 5), log(2, never, 5), log(3, never));
    expect(calls.map(([text]) => text)).toEqual([`2:${never}`, `3:${never}`, '1:5', '1:5', '2:5']);
  });

  it('are none of no logs', () => {
    expect(merged()).toEqual({ calls: [], ends: [] });
  });
});
