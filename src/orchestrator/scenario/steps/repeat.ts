import * as z from 'zod/mini';
import { whole, withDescription } from '../../spec/schema/words.ts';
import { stepsEvidence } from '../evidence.ts';
import { defineStep, type StepResult } from '../step.ts';

/** Runs steps several times, one after another. */
export const repeat = defineStep({
  name: 'repeat',
  summary: 'Runs steps several times, one after another.',
  schema: z.strictObject({
    times: withDescription(whole(1, 1000), 'how often'),
    steps: z.array(z.unknown(), 'a list of steps').check(z.minLength(1, 'at least one step')),
  }),
  inner: ['steps'],
  async run({ times }, { inner, perform }) {
    const steps: StepResult[] = [];
    for (let round = 0; round < times; round++)
      for (const step of inner) {
        const result = await perform(step);
        steps.push(result);
        if (result.status === 'failed') return stepsEvidence(steps);
      }
    return stepsEvidence(steps);
  },
});
