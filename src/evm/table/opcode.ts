import type { EvmLevel } from '../../protocol/rules/evm-level.ts';

/** Memory that an opcode touches. Offset and size are places on the stack; the size may be a number of bytes. */
export type Touched =
  | { readonly offset: number; readonly size: number }
  | { readonly offset: number; readonly bytes: number };

/** An argument of an opcode's function: a local of the loop, or a number. */
export type Argument = 'pc' | 'sp' | 'gas' | number | `layout.${string}`;

/** Gas: the same at each level, or by the level from which it holds. */
export type Gas = number | Readonly<Partial<Record<EvmLevel, number>>>;

/** Gas for each word or byte of a size, whose place on the stack it names. The size is also one of the memory. */
export interface SizeGas {
  readonly size: number;
  readonly gas: Gas;
}

/**
 * One row of the opcode table (geth: `operation` of the jump table, yellow paper: appendix H).
 * Places on the stack count from the top, which is 0.
 */
export interface Opcode {
  readonly code: number;
  readonly name: string;
  /** Words that it takes from the stack, and that it pushes. */
  readonly takes: number;
  readonly gives: number;
  /** Static gas. */
  readonly gas: Gas;
  /** First level that has it; absent: all. */
  readonly since?: EvmLevel;
  /** Memory is expanded to the furthest end of these before the function runs. */
  readonly memory?: readonly Touched[];
  readonly perWord?: SizeGas;
  readonly perByte?: SizeGas;
  /** Function that returns the gas beyond all this. */
  readonly dynamicGas?: string;
  /** Arguments of it; absent: the stack pointer. */
  readonly gasArgs?: readonly Argument[];
  /** Function that returns what it adds to the refund counter. An inspector sees it with the gas, as in geth. */
  readonly refund?: string;
  /** The function that does its work. */
  readonly run: string;
  /** Arguments of the function; absent: the stack pointer. */
  readonly args?: readonly Argument[];
  /**
   * What the result of the function is; absent: it has none.
   * The next program counter (0: an invalid jump), the outcome with which the loop ends, or such an outcome that is an
   * exceptional halt, else zero.
   */
  readonly result?: 'program-counter' | 'outcome' | 'halt';
  /** It changes state, which a static call may not (EIP-214). */
  readonly writes?: true;
  /** The host charges a part of its gas, runs it and reports it to an inspector. */
  readonly isForHost?: true;
  /** Bytes of data behind the opcode. */
  readonly data?: number;
}

/** Rows whose functions stand in one module of `src/evm/assembly/opcodes`. */
export interface OpcodeGroup {
  readonly module: string;
  readonly opcodes: readonly Opcode[];
}
