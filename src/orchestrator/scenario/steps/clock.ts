import * as z from 'zod/mini';
import { parseSkew, skewClock, skewedText } from '../../change/skew-clock.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { runsHere } from '../facts.ts';
import { defineStep } from '../step.ts';
import { nodeName } from '../words.ts';

const AMOUNT = 'a skew such as +10s or -1500ms; 0 ends it';
const amount = z.union([
  z.string(AMOUNT).check(z.refine((text) => parseSkew(text) !== undefined, AMOUNT)),
  z.literal(0),
]);

/** Skews the clock of a node's processes. */
export const clock = defineStep({
  name: 'clock',
  summary: "Sets the clock of a node's processes ahead or back.",
  schema: z.strictObject({
    skew: withDescription(nodeName, 'NODE, NODE.el or NODE.cl'),
    by: withDescription(amount, AMOUNT),
  }),
  check({ skew }, facts) {
    if (facts.plan.time.clock === 'stepped')
      facts.report([], 'the clock of this network is stepped: its processes have one time', {
        allowed: 'devnet: { time: { clock: wall } }',
      });
    else runsHere(facts, ['skew'], skew);
  },
  run: ({ skew, by }, run) =>
    outputEvidence(run, async (io) => io.stderr(skewedText(await skewClock(run.devnet(), skew, String(by))))),
});
