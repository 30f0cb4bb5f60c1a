import { expect, it } from 'vitest';
import { sumOf } from '../../../src/orchestrator/scenario/metrics-text.ts';

const TEXT = String.raw`# HELP refs_number Number of a block
# TYPE refs_number gauge
refs_number{layer="l2",type="l2_safe"} 7
refs_number{layer="l2",type="l2_unsafe"} 9 1795345636000
said{words="a \"b\", {c} \\ \n"} 2
up 1
# a comment names spaced 5
spaced{}   12
  indented 3
seconds_bucket{le="+Inf"} +Inf
`;

it.each([
  ['refs_number', { type: 'l2_safe' }, 7],
  ['refs_number', { layer: 'l2' }, 16],
  ['refs_number', { layer: 'l1' }, undefined],
  ['said', { words: 'a "b", {c} \\ \n' }, 2],
  ['up', {}, 1],
  ['spaced', {}, 12],
  ['indented', {}, undefined],
  ['refs', {}, undefined],
] as const)('%s %j is %s', (name, labels, value) => {
  expect(sumOf(TEXT, name, labels)).toBe(value);
});
