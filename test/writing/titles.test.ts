import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasNoSubject, titlesOf } from './titles.ts';

const root = resolve(import.meta.dirname, '..');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
);

describe('titles of tests', () => {
  it('begin with their subject, if no group names it', () => {
    const broken = files.flatMap((file) =>
      titlesOf(file, readFileSync(join(root, file), 'utf8'))
        .filter(hasNoSubject)
        .map(({ line, text }) => `${file}:${line} ${text}`),
    );
    expect(broken).toEqual([]);
  });

  it('are found in calls of it and test, with their groups', () => {
    const source =
      "it('refuses X', f);\ndescribe('the pool', () => {\n  it.each([1])('refuses Y', f);\n});\ntest(`says ${a}`, f);";
    expect(titlesOf('a.ts', source)).toEqual([
      { line: 1, text: 'refuses X', groups: [] },
      { line: 3, text: 'refuses Y', groups: ['the pool'] },
      { line: 5, text: 'says X', groups: [] },
    ]);
    expect(titlesOf('a.ts', source).map(hasNoSubject)).toEqual([true, false, true]);
  });
});
