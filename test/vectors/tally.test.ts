import { expect, it } from 'vitest';
import { Disagreement, NotApplicable, outcomeOf } from './outcome.ts';
import { Tally } from './tally.ts';

const throwing = (error: Error) => () => {
  throw error;
};

it('a tally counts outcomes by suite, and those of another tally', async () => {
  const part = new Tally();
  part.add('b', await outcomeOf(() => {}));
  part.add('b', await outcomeOf(() => Promise.reject(new NotApplicable('before the merge'))));
  part.add('a', await outcomeOf(throwing(new Disagreement('ours 1, published 2'))));
  const tally = new Tally();
  tally.merge(part.suites);
  tally.merge(part.suites);
  tally.add('b', await outcomeOf(throwing(new NotApplicable('a draft'))));
  expect(tally.lines()).toEqual([
    'a: 0 passed, 2 failed, not applicable: 0',
    'b: 2 passed, 0 failed, not applicable: 1 a draft, 2 before the merge',
  ]);
  expect(tally.total).toEqual({ passed: 2, failed: 2, notApplicable: 3 });
});

it('a failed case has the message of a disagreement, and the stack of any other error', async () => {
  const other = new Error('out of gas');
  expect(await outcomeOf(throwing(new Disagreement('ours 1')))).toEqual({ state: 'failed', problem: 'ours 1' });
  expect(await outcomeOf(throwing(other))).toEqual({ state: 'failed', problem: other.stack });
});
