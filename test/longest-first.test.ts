import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LONG_FILES, longestFirst } from './longest-first.ts';

it('the order of test files has the longest first, and the others as they were', () => {
  expect(LONG_FILES.filter((file) => !existsSync(file))).toEqual([]);
  const others = ['b.test.ts', 'a.test.ts'];
  const files = [...others, ...LONG_FILES.toReversed()].map((moduleId) => ({ moduleId }));
  expect(longestFirst(files).map(({ moduleId }) => moduleId)).toEqual([...LONG_FILES, ...others]);
});
