import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'failures.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!failure|what \|)/.test(line));

/** Reads the last cell of a row: a file and the title of a test, or of a group of tests, in it. */
function testOf(row: string): { readonly file: string; readonly title: string } | undefined {
  const cell = row.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '';
  const [, file, title] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(cell) ?? [];
  return file === undefined || title === undefined ? undefined : { file, title };
}

describe('the page of failures', () => {
  it('has a test in each row', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((row) => testOf(row) === undefined)).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows.flatMap((row) => {
      const { file, title } = testOf(row) ?? { file: '', title: '' };
      const path = join(root, file);
      const text = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : '';
      // A title is a literal. That of a template has variables before or behind it.
      const isThere = ["'", '"', '`', '} '].some((before) =>
        ["'", '"', '`', ', ${'].some((after) => text.includes(`${before}${title}${after}`)),
      );
      return isThere ? [] : [`${file}: ${title}`];
    });
    expect(missing).toEqual([]);
  });
});
