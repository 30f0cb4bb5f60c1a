import type { StateJournal } from '../state/state-journal.ts';
import type { StateAccessModel } from './state-access.ts';
import type { FrameEnd } from './tracer.ts';

/** Holds every difference between the tracers of op-geth and op-reth. */
export interface TraceBehaviour {
  /** `4byteTracer` counts calls of precompiles. */
  readonly precompileSelectors: boolean;
  /** Logs of `callTracer` carry their index, and under `onlyTopCall` their position among the calls. */
  readonly logIndex: boolean;
  /** The struct logger omits a refund of zero, empty memory and empty return data. */
  readonly leavesOutEmpty: boolean;
  /** The struct logger shows the error of an instruction that failed while it ran. */
  readonly showsFaults: boolean;
  /** A deposit that ran no code counts as failed and shows its sender and value. */
  readonly showsUnrunDeposits: boolean;
  /** `callTracer` keeps the logs of a failed outermost frame, and its SELFDESTRUCTs under `onlyTopCall`. */
  readonly keepsOutermost: boolean;
  /**
   * Creates the model whose loads `prestateTracer` shows: also fee vaults, created accounts and slots of failed stores.
   * Absent: the tracer shows the accounts and slots that the instructions name, as geth does.
   */
  readonly loadedState?: (state: StateJournal) => StateAccessModel;
  /** The struct logger counts the gas that a creation forwards, and shows a slot when it is loaded or changes. */
  readonly showsRuns: boolean;
  /** Prefix of the error of a call that cannot be traced. */
  readonly callFailure: string;
  readonly errors: TraceErrors;
}

/** Messages of a failed frame, each for one kind of tracer. */
export interface TraceErrors {
  callTracer(end: FrameEnd): string;
  structLogger(end: FrameEnd): string;
  parity(end: FrameEnd): string;
}

/** Errors that stop an instruction before it runs. */
export const NOT_RUN = /^(out of gas|stack |gas uint64 overflow)/;
