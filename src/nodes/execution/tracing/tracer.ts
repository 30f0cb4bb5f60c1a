import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';

/** One instruction, before it runs. Gas in gas, depth from 1. */
export interface Step {
  readonly pc: number;
  readonly op: number;
  readonly name: string;
  readonly gas: bigint;
  /** Cost with the gas that a call forwards. */
  readonly cost: bigint;
  /** Cost without that gas. */
  readonly ownCost: bigint;
  readonly depth: number;
  readonly refund: bigint;
  /** Bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** Contract whose storage it accesses. */
  readonly address: Hex;
  /** The frame has no code: the creation ran empty init code. revm shows a STOP for it. */
  readonly ofNothing?: true;
  /** Return data of the frame's last call. */
  readonly returnData: Uint8Array;
}

/** Instruction that began a frame. */
export type FrameType = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A message: the transaction's own (depth 0), a call, a creation or a SELFDESTRUCT. */
export interface Frame {
  readonly type: FrameType;
  readonly depth: number;
  readonly from: Hex;
  /** Account whose code runs, or the created one. */
  readonly to: Hex;
  readonly input: Uint8Array;
  readonly gas: bigint;
  readonly value: bigint;
}

/** End of a frame. */
export interface FrameEnd {
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** geth's message. Absent: it succeeded. */
  readonly error?: string;
  /** Change that a static frame attempted, with or without the gas for it: sending value or changing state. */
  readonly forbidden?: 'value' | 'change';
  /** Opcode of the failed instruction. */
  readonly op?: number;
}

/** An emitted log. Its frame may still fail. */
export interface EmittedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The traced transaction or call. */
export interface Traced {
  readonly from: Hex;
  /** null: it creates `created`. */
  readonly to: Hex | null;
  readonly created: Hex;
  readonly gas: bigint;
  readonly value: bigint;
  readonly input: Hex;
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
  log?(log: EmittedLog): void;
  /** Called after the transaction is settled. */
  result(outcome: TraceOutcome): Result;
}
