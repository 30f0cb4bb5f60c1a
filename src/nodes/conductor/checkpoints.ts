import { type Checkpoints, createCheckpoints } from '../../system/channel/checkpoints.ts';
import type { Conductor } from './conductor.ts';

/** Creates the checkpoints of a conductor: leader, term and last block, and whether it acts. */
export function conductorCheckpoints(conductor: Conductor): Checkpoints {
  return createCheckpoints<() => void>({
    take: () => conductor.remember(),
    suspend: () => conductor.suspend(),
    restore: (restoreState) => restoreState(),
    resume: () => conductor.resume(),
  });
}
