import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';

/** One instruction, before it runs. Gas in gas, depth from 1. */
export interface Step {
  readonly pc: number;
  readonly op: number;
  readonly name: string;
  readonly gas: bigint;
  /** What it costs, gas handed to a call included. */
  readonly cost: bigint;
  /** The same without the gas handed over. */
  readonly ownCost: bigint;
  readonly depth: number;
  readonly refund: bigint;
  /** Bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** Whose storage it works on. */
  readonly address: Hex;
  /** There is no code, which the Rust clients' interpreter stops in: the code that a creation runs is empty. */
  readonly ofNothing?: true;
  /** What the last call of this frame returned. */
  readonly returnData: Uint8Array;
}

export type FrameType = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A message: the transaction's own (depth 0), a call, a creation, or what a contract leaves to its heir. */
export interface Frame {
  readonly type: FrameType;
  readonly depth: number;
  readonly from: Hex;
  /** Whose code runs, or what is created. */
  readonly to: Hex;
  readonly input: Uint8Array;
  readonly gas: bigint;
  readonly value: bigint;
}

/** How a frame ended. */
export interface FrameEnd {
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** In the words of the Go client; absent: it succeeded. */
  readonly error?: string;
  /** What a static frame tried and may not, whether it could have paid for it or not: to send value, or to change the state. */
  readonly forbidden?: 'value' | 'change';
  /** The instruction that failed. */
  readonly op?: number;
}

/** A log as it is emitted; the frame around it may still fail. */
export interface EmittedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The transaction or call that is traced. */
export interface Traced {
  readonly from: Hex;
  /** null: it creates `created`. */
  readonly to: Hex | null;
  readonly created: Hex;
  readonly gas: bigint;
  readonly value: bigint;
  readonly input: Hex;
  /** Deposits pay none. */
  readonly paysFees: boolean;
  /** Who signed its authorizations (EIP-7702). */
  readonly authorities: readonly { readonly address: Hex; readonly isForChain: boolean }[];
}

/** How it ended, after refunds. */
export interface TraceOutcome {
  /** A deposit of which no code ran. `gas`: what it had for code, where it failed for its value; undefined where gas was too little for that. */
  readonly unrun?: { readonly gas: bigint | undefined };
  readonly gasUsed: bigint;
  readonly returnValue: Uint8Array;
  /** In the words of the Go client; absent: it succeeded. */
  readonly error?: string;
}

/** Watches one transaction and says what it saw. */
export interface Tracer {
  /** Before anything is paid or run; the machine's state is that before the transaction. */
  start?(vm: BlockEvm, traced: Traced): void;
  enter?(frame: Frame): void;
  leave?(end: FrameEnd): void;
  step?(step: Step): void;
  log?(log: EmittedLog): void;
  /** After everything is settled. */
  result(outcome: TraceOutcome): unknown;
}
