import type { EvmLevel } from '../../protocol/rules/evm-level.ts';

/** Memory that an opcode touches. Offset and size are places on the stack; the size may be a number of bytes. */
export type Touched =
  | { readonly offset: number; readonly size: number }
  | { readonly offset: number; readonly bytes: number };

/** An argument of an opcode's function: a local of the loop, or a number. */
export type Argument = 'pc' | 'sp' | 'gas' | number;

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
  /** Static gas: the same at each level, or by the level from which it holds. */
  readonly gas: number | Readonly<Partial<Record<EvmLevel, number>>>;
  /** First level that has it; absent: all. */
  readonly since?: EvmLevel;
  /** Memory is expanded to the furthest end of these before the function runs. */
  readonly memory?: readonly Touched[];
  /** Function over the stack pointer that returns the gas beyond the static gas and that of memory. */
  readonly dynamicGas?: string;
  /** The function that does its work. */
  readonly run: string;
  /** Arguments of the function; absent: the stack pointer. */
  readonly args?: readonly Argument[];
  /**
   * What the result of the function is; absent: it has none.
   * The next program counter (0: an invalid jump), or the outcome with which the loop ends.
   */
  readonly result?: 'program-counter' | 'outcome';
  /** Bytes of data behind the opcode. */
  readonly data?: number;
}

/** Rows whose functions stand in one module of `src/evm/assembly/opcodes`. */
export interface OpcodeGroup {
  readonly module: string;
  readonly opcodes: readonly Opcode[];
}
