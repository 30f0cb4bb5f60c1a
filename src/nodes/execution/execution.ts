/**
 * All that needs the EVM library, whose import takes a third of the start-up: loaded once the ports are open, by `loadExecution`.
 */
export { BuildJob } from './engine/build-job.ts';
export { validateBlock } from './engine/validate.ts';
export { estimateGas } from './query/estimate.ts';
export { simulate } from './query/simulate.ts';
