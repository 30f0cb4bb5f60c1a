import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLineFile } from '../../../src/system/files/line-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'line-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Short lines, and lines beyond the pieces in which the end is searched. */
const line = fc.oneof(
  { weight: 5, arbitrary: fc.string().map((text) => text.replaceAll('\n', '')) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }).map((length) => 'x'.repeat(length)) },
);

test('a line file that was truncated anywhere has its whole lines, and appends the next one', () => {
  const path = join(folder, 'lines');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.nat(), (lines, at) => {
      const whole = Buffer.from(lines.map((each) => `${each}\n`).join(''));
      const left = whole.subarray(0, at % (whole.length + 1));
      writeFileSync(path, left);
      const rest = left.toString('utf8').split('\n').slice(0, -1);
      const file = openLineFile(path);
      expect(file.lines()).toEqual(rest);
      file.append('next');
      expect(file.lines()).toEqual([...rest, 'next']);
      file.close();
      expect(readFileSync(path, 'utf8')).toBe([...rest, 'next', ''].join('\n'));
    }),
  );
});
