import { pause as waitOut } from '../../../system/time/pause.ts';
import { wallClockNotice } from '../../plan/wall-clock.ts';
import { defineStep } from '../step.ts';
import { duration } from '../words.ts';

/** Lets the machine's time pass while the network's clock stands. */
export const pause = defineStep({
  name: 'pause',
  summary: "Stops the network's clock for some time of the machine.",
  schema: duration,
  check(_, { plan, report }) {
    const notice = wallClockNotice(plan.tasks);
    if (notice !== undefined) report([], notice, { allowed: 'wait' });
  },
  async run(ms, { signal, time }) {
    await time.standing(() => waitOut(ms, signal));
    signal.throwIfAborted();
    return {};
  },
});
