import { expect, it } from 'vitest';
import { startsWith } from '../../../../src/orchestrator/spec/text/removal.ts';

it.each([
  [['a', 'b'], ['a'], true],
  [['a'], ['a'], true],
  [['a'], [], true],
  [['a'], ['a', 'b'], false],
  [['b', 'a'], ['a'], false],
  [['a', 0], ['a', '0'], true],
])('the path %j starts with %j: %s', (path, prefix, starts) => {
  expect(startsWith(path, prefix)).toBe(starts);
});
