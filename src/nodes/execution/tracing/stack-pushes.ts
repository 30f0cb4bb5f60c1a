import { OP } from './opcodes.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Opcodes that push nothing. */
const OPCODES_WITHOUT_PUSH: ReadonlySet<number> = new Set([
  ...[OP.STOP, OP.POP, OP.MSTORE, OP.MSTORE8, OP.SSTORE, OP.TSTORE, OP.JUMP, OP.JUMPI, OP.JUMPDEST],
  ...[OP.CALLDATACOPY, OP.CODECOPY, OP.EXTCODECOPY, OP.RETURNDATACOPY, OP.MCOPY],
  ...[OP.RETURN, OP.REVERT, OP.INVALID, OP.SELFDESTRUCT],
  ...range(OP.LOG0, OP.LOG4),
]);

/**
 * Returns the words that an opcode leaves on the stack, as Parity and revm count: DUP and SWAP leave all that they
 * touch.
 */
export function pushedWords(op: number): number {
  if (op >= OP.DUP1 && op <= OP.DUP16) return op - OP.DUP1 + 2;
  if (op >= OP.SWAP1 && op <= OP.SWAP16) return op - OP.SWAP1 + 2;
  return OPCODES_WITHOUT_PUSH.has(op) ? 0 : 1;
}
