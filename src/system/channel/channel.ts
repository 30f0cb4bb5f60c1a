import { type Clock, wallClock } from '../time/clock.ts';
import type { CheckpointService } from './checkpoints.ts';
import type { Quiesce } from './quiesce.ts';
import type { L1Service } from './supervised-l1.ts';
import { NO_TRACES, type Traces } from './supervised-traces.ts';

/** The end of a program's channel to its supervisor: clock, quiesce, checkpoint, L1 and traces. */
export interface Channel extends Clock, Quiesce, CheckpointService, L1Service {
  /** Resolves when the program knows the state of its supervisor, or has found none. */
  readonly opened: Promise<void>;
  readonly traces: Traces;
  close(): void;
}

/** The services, beside the clock, of a program without a supervisor. */
export const UNSUPERVISED: Quiesce & CheckpointService & L1Service & Pick<Channel, 'close' | 'opened' | 'traces'> = {
  opened: Promise.resolve(),
  traces: NO_TRACES,
  activity: () => ({ busy: () => {}, idle: () => {} }),
  report: () => {},
  onFlush: () => {},
  onCheckpoints: () => {},
  onL1: () => {},
  tellPoolFault: () => {},
  close: () => {},
};

/** Returns the channel of a program without a supervisor: its clock is the wall clock. */
export const standaloneChannel = (): Channel => ({ ...wallClock(), ...UNSUPERVISED });
