import type { Frame } from '../../../evm/machine/inspector.ts';
import type { EvmLog } from '../../../evm/machine/state.ts';
import type { Step } from '../../../evm/machine/step.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';

/** End of a frame. */
export interface FrameEnd {
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** geth's message. Absent: it succeeded. */
  readonly error?: string;
  /** Change that a static frame attempted, with or without the gas for it: sending value or changing state. */
  readonly forbidden?: 'value' | 'change';
  /** A precompile refused its input. */
  readonly isPrecompile?: boolean;
  /** Opcode of the failed instruction. */
  readonly op?: number;
}

/** The traced transaction or call. */
export interface Traced {
  readonly from: Hex;
  /** null: it creates a contract. */
  readonly to: Hex | null;
  /** Account that it calls, or the address of the contract that it creates. */
  readonly target: Hex;
  readonly gas: bigint;
  readonly value: bigint;
  readonly input: Uint8Array;
  /** false for deposits. */
  readonly paysFees: boolean;
  /** Signers of its authorizations (EIP-7702). */
  readonly authorities: readonly { readonly address: Hex; readonly isForChain: boolean }[];
}

/** Outcome after refunds. */
export interface TraceOutcome {
  /**
   * A deposit that ran no code. `gas` is its gas for code if it lacked its value.
   * undefined: the gas did not pay for the data.
   */
  readonly unrun?: { readonly gas: bigint | undefined };
  readonly gasUsed: bigint;
  readonly returnValue: Uint8Array;
  /** geth's message. Absent: it succeeded. */
  readonly error?: string;
}

/** Observes one transaction and returns a result (geth: `tracing.Hooks`, revm: `Inspector`). */
export interface Tracer<Result = unknown> {
  /** Called before fees are paid. The state is that before the transaction. */
  start?(vm: BlockEvm, traced: Traced): void;
  enter?(frame: Frame): void;
  leave?(end: FrameEnd): void;
  step?(step: Step): void;
  /** Called for each log. Its frame may still fail. */
  log?(log: EvmLog): void;
  /** Called after the transaction is settled. */
  result(outcome: TraceOutcome): Result;
}
