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

/** Opcodes whose name in the library differs from that of the clients. */
const RENAMED: Readonly<Record<number, string>> = {
  [OP.KECCAK256]: 'KECCAK256',
  68: 'DIFFICULTY',
  [OP.SELFDESTRUCT]: 'SELFDESTRUCT',
};

/** Opcodes of later forks, which clients name before the fork is active. */
const LATER: Readonly<Record<number, string>> = {
  [0x1e]: 'CLZ',
  [0x49]: 'BLOBHASH',
  [0x4a]: 'BLOBBASEFEE',
  [0x5c]: 'TLOAD',
  [0x5d]: 'TSTORE',
  [0x5e]: 'MCOPY',
  [0x5f]: 'PUSH0',
};

/** Returns the name of an opcode. `byte` is the code byte if the library reports INVALID. */
export function opName(op: number, name: string, byte: number | undefined): string {
  if (op !== OP.INVALID) return RENAMED[op] ?? name;
  if (byte === undefined || byte === OP.INVALID) return 'INVALID';
  return LATER[byte] ?? `opcode 0x${byte.toString(16)} not defined`;
}
