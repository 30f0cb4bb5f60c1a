import * as z from 'zod/mini';
import { withDescription } from '../../spec/schema/words.ts';
import { stepsEvidence } from '../evidence.ts';
import { defineStep } from '../step.ts';

/** Runs steps at the same time. */
export const parallel = defineStep({
  name: 'parallel',
  summary: 'Runs steps at the same time, and ends when all of them have ended.',
  schema: withDescription(
    z.array(z.unknown(), 'a list of steps').check(z.minLength(1, 'at least one step'), z.maxLength(20, 'at most 20')),
    'the steps',
  ),
  inner: [],
  isParallel: true,
  async run(_, { inner, perform, time }) {
    const steps = await time.together(inner.map((step) => () => perform(step)));
    return stepsEvidence(steps);
  },
});
