import { OPCODE_GROUPS } from '../../../evm/table/index.ts';

/** Opcodes that tracers need (geth: `OpCode`). */
export const OP = {
  STOP: 0x00,
  KECCAK256: 0x20,
  BALANCE: 0x31,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  POP: 0x50,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  DUP1: 0x80,
  DUP16: 0x8f,
  SWAP1: 0x90,
  SWAP16: 0x9f,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  DELEGATECALL: 0xf4,
  RETURN: 0xf3,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const;

/** Names by opcode. Clients call PREVRANDAO by its name before the merge. */
const OPCODE_NAMES: ReadonlyMap<number, string> = new Map([
  ...OPCODE_GROUPS.flatMap(({ opcodes }) => opcodes.map(({ code, name }) => [code, name] as const)),
  [0x44, 'DIFFICULTY'],
]);

/** Returns the name of an opcode, also of one that a later fork defines. */
export function opName(op: number): string {
  return OPCODE_NAMES.get(op) ?? `opcode 0x${op.toString(16)} not defined`;
}
