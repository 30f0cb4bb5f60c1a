import { OPCODE_GROUPS } from '../../../evm/table/index.ts';

const OPCODES = new Map(
  OPCODE_GROUPS.flatMap(({ opcodes }) => opcodes.map((opcode) => [opcode.code, opcode] as const)),
);

/** Returns the name of an opcode, also of one that a later fork defines. PREVRANDAO has its name before the merge. */
export function opName(op: number): string {
  if (op === 0x44) return 'DIFFICULTY';
  return OPCODES.get(op)?.name ?? `opcode 0x${op.toString(16)} not defined`;
}

/** Returns the words that an opcode needs on the stack. */
export function stackNeed(op: number): number {
  return OPCODES.get(op)?.takes ?? 0;
}
