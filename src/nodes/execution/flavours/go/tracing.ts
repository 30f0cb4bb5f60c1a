import type { TraceBehaviour } from '../../tracing/behaviour.ts';
import type { FrameEnd } from '../../tracing/tracer.ts';

const errorOf = ({ error = '' }: FrameEnd): string => error;

/** Tracers of op-geth: `eth/tracers`. Frames already end with geth's messages. */
export const GO_TRACING: TraceBehaviour = {
  precompileSelectors: false,
  logIndex: false,
  leavesOutEmpty: true,
  showsFaults: false,
  showsUnrunDeposits: false,
  keepsOutermost: false,
  showsRuns: false,
  callFailure: 'tracing failed: ',
  errors: { callTracer: errorOf, structLogger: errorOf, parity: errorOf },
};
