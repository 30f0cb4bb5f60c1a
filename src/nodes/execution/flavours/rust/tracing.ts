import type { TraceBehaviour } from '../../tracing/behaviour.ts';
import { RevmStateAccess } from './state-access.ts';
import { callTracerError, parityTraceError, structLogError } from './trace-errors.ts';

/** Tracers of op-reth: `revm-inspectors`. */
export const RUST_TRACING: TraceBehaviour = {
  precompileSelectors: true,
  logIndex: true,
  leavesOutEmpty: false,
  showsFaults: true,
  showsUnrunDeposits: true,
  keepsOutermost: true,
  loadedState: (state) => new RevmStateAccess(state),
  showsRuns: true,
  callFailure: '',
  errors: { callTracer: callTracerError, structLogger: structLogError, parity: parityTraceError },
};
