import type { ExecutionWitness, WitnessScope } from './execution-witness.ts';

/** Form of a witness: the clients' first one, or that of ethereum/execution-specs (reth: `ExecutionWitnessMode`). */
export type WitnessMode = 'legacy' | 'canonical';

/** Holds every difference between the execution witnesses of op-geth and op-reth. */
export interface WitnessBehaviour {
  /** A request may choose the mode. */
  readonly hasModes: boolean;
  readonly scope: (mode: WitnessMode) => WitnessScope;
  readonly view: (witness: ExecutionWitness, mode: WitnessMode) => unknown;
}
