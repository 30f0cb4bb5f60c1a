import { type Clock, wallClock } from '../time/clock.ts';
import type { CheckpointService } from './checkpoints.ts';
import type { Quiesce } from './quiesce.ts';

/** The end of a program's channel to its supervisor, with three services: clock, quiesce and checkpoint. */
export interface Channel extends Clock, Quiesce, CheckpointService {
  close(): void;
}

/** The services, beside the clock, of a program without a supervisor. */
export const UNSUPERVISED: Quiesce & CheckpointService & Pick<Channel, 'close'> = {
  activity: () => ({ busy: () => {}, idle: () => {} }),
  report: () => {},
  onFlush: () => {},
  onCheckpoints: () => {},
  close: () => {},
};

/** Returns the channel of a program without a supervisor: its clock is the wall clock. */
export const standaloneChannel = (): Channel => ({ ...wallClock(), ...UNSUPERVISED });
