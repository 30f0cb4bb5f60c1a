import { expect, it } from 'vitest';
import { isProgress, type Progress } from '../../../src/system/channel/progress.ts';

it.each<Progress>([
  { kind: 'beacon', l1: '0xaa', number: 7 },
  { kind: 'beacon', l1: undefined, number: null },
  { kind: 'rollup', l1: null, derived: false, unsafe: null, number: null },
  { kind: 'rollup', l1: '0xaa', derived: true, unsafe: '0xbb', number: 0 },
  { kind: 'poster' },
])('a report is accepted as it arrives in JSON: %j', (progress) => {
  expect(isProgress(JSON.parse(JSON.stringify(progress)))).toBe(true);
});

it.each([
  ...[undefined, null, 7, 'beacon', [], {}],
  { kind: 'execution' },
  { kind: 'toString' },
  { kind: 'beacon', l1: 7, number: 1 },
  { kind: 'beacon', l1: '0xaa' },
  { kind: 'rollup', l1: '0xaa', unsafe: '0xbb', number: 1 },
  { kind: 'rollup', l1: '0xaa', derived: 'true', unsafe: '0xbb', number: 1 },
  { kind: 'rollup', l1: '0xaa', derived: true, unsafe: '0xbb', number: 1.5 },
])('a report is refused with a field that its kind does not have: %j', (value) => {
  expect(isProgress(value)).toBe(false);
});
