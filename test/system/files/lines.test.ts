import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { printable, readFrom } from '../../../src/system/files/lines.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'lines-'));
});
afterEach(() => rmSync(place, { recursive: true }));

it.each([
  [0, 4, '6789'],
  [0, 9, '123456789'],
  [0, 10, '0123456789'],
  [0, 99, '0123456789'],
  [8, 4, '89'],
  [6, 4, '6789'],
  [5, 4, '6789'],
  [10, 4, ''],
  [99, 4, ''],
])('the end of a file is read not before byte %i and at most %i bytes of it', (from, most, text) => {
  const path = join(place, 'log');
  writeFileSync(path, '0123456789');
  expect(readFrom(path, from, most)).toBe(text);
  expect(readFrom(join(place, 'none'), from, most)).toBe('');
});

it.each([
  [4000, 'x'.repeat(4000)],
  [4001, `${'x'.repeat(4000)}… (4001 characters)`],
])('a line of %i characters is printed with at most 4,000 of them', (length, text) => {
  expect(printable('x'.repeat(length))).toBe(text);
});

it('a line keeps nothing that could steer a terminal', () => {
  const text = printable('\u001b[31mred\u001b[0m\tend\u001b]0;title\u0007\u0000\r');
  expect(text).toContain('red end');
  expect([...text].filter((character) => character < ' ' || character === '\u007f')).toEqual([]);
});
