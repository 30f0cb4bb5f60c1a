import { OP } from './opcodes.ts';
import type { Step } from './tracer.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Instructions that leave nothing on the stack. */
const SILENT: ReadonlySet<number> = new Set([
  ...[OP.STOP, OP.POP, OP.MSTORE, OP.MSTORE8, OP.SSTORE, OP.TSTORE, OP.JUMP, OP.JUMPI, OP.JUMPDEST],
  ...[OP.CALLDATACOPY, OP.CODECOPY, OP.EXTCODECOPY, OP.RETURNDATACOPY, OP.MCOPY],
  ...[OP.RETURN, OP.REVERT, OP.INVALID, OP.SELFDESTRUCT],
  ...range(OP.LOG0, OP.LOG4),
]);

/** Words that an instruction leaves on the stack, as Parity counts them: DUP and SWAP leave all that they touch. */
export function pushedBy(op: number): number {
  if (op >= OP.DUP1 && op <= OP.DUP16) return op - OP.DUP1 + 2;
  if (op >= OP.SWAP1 && op <= OP.SWAP16) return op - OP.SWAP1 + 2;
  return SILENT.has(op) ? 0 : 1;
}

/** Where on the stack an instruction finds place and size of the memory that it may change, counted from the top. */
const PLACES: Readonly<Record<number, readonly [offset: number, size: number]>> = {
  [OP.CALLDATACOPY]: [0, 2],
  [OP.CODECOPY]: [0, 2],
  [OP.RETURNDATACOPY]: [0, 2],
  [OP.MCOPY]: [0, 2],
  [OP.EXTCODECOPY]: [1, 3],
  [OP.CALL]: [5, 6],
  [OP.CALLCODE]: [5, 6],
  [OP.DELEGATECALL]: [4, 5],
  [OP.STATICCALL]: [4, 5],
};
const STORED: Readonly<Record<number, bigint>> = { [OP.MSTORE]: 32n, [OP.MSTORE8]: 1n };

/** The part of memory that an instruction changes; of a call all that its caller set aside for the answer. */
export function writtenBy({ op, stack }: Step): { readonly offset: bigint; readonly size: bigint } | undefined {
  const at = (depth: number) => stack.at(-1 - depth) ?? 0n;
  const stored = STORED[op];
  if (stored !== undefined) return { offset: at(0), size: stored };
  const place = PLACES[op];
  if (place === undefined) return undefined;
  const [offset, size] = [at(place[0]), at(place[1])];
  return size === 0n ? undefined : { offset, size };
}
