/**
 * Everything that needs the EVM library, whose import takes a third of the start-up.
 * `loadLazyEvm` loads it once the ports are open.
 */

export { createAccessList } from './call/access-list.ts';
export { evmAtBlock } from './call/call-evm.ts';
export { estimateGas } from './call/estimate.ts';
export { namedPrice, simulate } from './call/simulate.ts';
export { PayloadJob } from './engine/payload-job.ts';
export { validateBlock } from './engine/validate.ts';
export { forkConfig } from './query/fork-config.ts';
export { accountRange, storageRange } from './query/ranges.ts';
export { simulateBlocks } from './query/simulate-blocks.ts';
export { evmAtTransaction, traceBlock, traceCall, traceSigned } from './tracing/trace.ts';
export { CallListTracer, OperationsTracer } from './tracing/tracers/call-list.ts';
export { ParityTracer } from './tracing/tracers/parity-trace.ts';
export { ReplayTracer } from './tracing/tracers/replay-tracer.ts';
export { tracerOf } from './tracing/tracers/tracers.ts';
export { executionWitness } from './witness/execution-witness.ts';
