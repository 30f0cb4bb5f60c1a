import { expect, it } from 'vitest';
import { parseSkew } from '../../../src/orchestrator/change/skew-clock.ts';
import { skewOf, skewText } from '../../../src/orchestrator/health/skew.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';

it.each([
  ['+10s', 10_000],
  ['-1500ms', -1500],
  ['+1h', 3_600_000],
  ['0', 0],
  ['-0s', 0],
  ['10s', undefined],
  ['+', undefined],
  ['+10', undefined],
  ['+25h', undefined],
  ['--5s', undefined],
  ['', undefined],
])('a skew of %s is %s ms', (text, ms) => expect(parseSkew(text)).toBe(ms));

it('a skew is the reason of a problem of both processes of its node, and of no other node', () => {
  const live = (chain: string, node: string) => ({ task: { chain, node } }) as unknown as LiveTask;
  const tasks = new Map([
    ['main/a/el', live('main', 'a')],
    ['main/a/cl', live('main', 'a')],
    ['other/a/cl', live('other', 'a')],
  ]);
  const skews = new Map([['main/a/el', -70_000]]);
  expect(skewOf('main/a/el', tasks, skews)).toBe('its clock is 70 s behind, by `devnet clock skew`');
  expect(skewOf('main/a/cl', tasks, skews)).toBe('the clock of main/a/el is 70 s behind, by `devnet clock skew`');
  expect(skewOf('other/a/cl', tasks, skews)).toBeUndefined();
  expect(skewOf('l1', tasks, skews)).toBeUndefined();
  expect(skewText(1500)).toBe('1.5 s ahead');
});
