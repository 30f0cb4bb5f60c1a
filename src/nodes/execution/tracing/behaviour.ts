/** What the clients' tracers differ in. */
export interface TraceBehaviour {
  /** `4byteTracer` counts calls of precompiles too. */
  readonly precompileSelectors: boolean;
  /** Logs of `callTracer` carry their index, and stand behind the calls before them under `onlyTopCall` too. */
  readonly logIndex: boolean;
  /** The struct logger leaves out a refund of zero, empty memory and empty return data. */
  readonly leavesOutEmpty: boolean;
  /** The struct logger shows an error also where an instruction failed while it ran. */
  readonly showsFaults: boolean;
  /** A deposit that could not run at all counts as failed, and shows who sent what. */
  readonly showsUnrunDeposits: boolean;
  /** `callTracer` shows the logs of a transaction’s own frame where it failed too, and what that frame left to an heir under onlyTopCall. */
  readonly keepsOutermost: boolean;
  /** `prestateTracer` shows all that was loaded: fee vaults, what is created, slots of failed stores; and of deposits nobody who is paid nothing. */
  readonly showsLoads: boolean;
  /** Words of the Rust clients' interpreter. */
  readonly rustWords: boolean;
  /** The struct logger shows what a creation hands over as its cost, slots where they are brought in or changed only, and a STOP where a creation runs no code. */
  readonly showsRuns: boolean;
  /** Before the words of a call that cannot be traced. */
  readonly callFailure: string;
}

export const GO_TRACES: TraceBehaviour = {
  precompileSelectors: false,
  logIndex: false,
  leavesOutEmpty: true,
  showsFaults: false,
  showsUnrunDeposits: false,
  keepsOutermost: false,
  showsLoads: false,
  rustWords: false,
  showsRuns: false,
  callFailure: 'tracing failed: ',
};

export const RUST_TRACES: TraceBehaviour = {
  precompileSelectors: true,
  logIndex: true,
  leavesOutEmpty: false,
  showsFaults: true,
  showsUnrunDeposits: true,
  keepsOutermost: true,
  showsLoads: true,
  rustWords: true,
  showsRuns: true,
  callFailure: '',
};

/** Errors that stop an instruction before it runs. */
export const NOT_RUN = /^(out of gas|stack |gas uint64 overflow)/;
