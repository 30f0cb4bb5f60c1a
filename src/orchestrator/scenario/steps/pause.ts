import { setTimeout as sleep } from 'node:timers/promises';
import { defineStep } from '../step.ts';
import { duration } from '../words.ts';

/** Lets the machine's time pass while the network's clock stands. */
export const pause = defineStep({
  name: 'pause',
  summary: "Stops the network's clock for some time of the machine.",
  schema: duration,
  async run(ms, { signal, time }) {
    await time.standing(() => sleep(ms, undefined, { signal }));
    return {};
  },
});
