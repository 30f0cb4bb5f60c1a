import type { Sample } from '../../orchestrator/dashboard/picture-type.ts';

/** Time (s) between two samples above which nothing was measured in between. */
const MAX_STEP_SECONDS = 5;

/** Adds an empty sample in each pause, so that no plot draws a line through it. */
export function withGaps(samples: readonly Sample[]): readonly Sample[] {
  return samples.flatMap((sample, index): Sample[] => {
    const before = samples[index - 1];
    if (before === undefined || sample[0] - before[0] <= MAX_STEP_SECONDS) return [sample];
    const empty = sample.slice(1).map(() => null);
    return [[before[0] + 1, ...empty], sample];
  });
}
