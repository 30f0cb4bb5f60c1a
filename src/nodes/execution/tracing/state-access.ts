import type { Frame } from '../../../evm/machine/inspector.ts';
import type { Step } from '../../../evm/machine/step.ts';
import type { Hex } from '../../../protocol/types.ts';

/** An account that an instruction loads, perhaps with its code, or one storage slot of it. */
export interface StateAccess {
  readonly address: Hex;
  readonly slot?: Hex;
  readonly code?: boolean;
}

/** Predicts which state the interpreter of another client loads, from the instructions that run here. */
export interface StateAccessModel {
  enter(frame: Frame): void;
  leave(): void;
  /** Returns the state that an instruction loads. */
  accesses(step: Step): readonly StateAccess[];
  /** Returns the state that a call to an address loads. */
  callee(address: Hex): readonly StateAccess[];
}
