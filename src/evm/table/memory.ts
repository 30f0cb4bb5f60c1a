import type { OpcodeGroup } from './opcode.ts';

/** 0x20. */
export const HASH: OpcodeGroup = {
  module: 'keccak',
  opcodes: [
    {
      code: 0x20,
      name: 'KECCAK256',
      takes: 2,
      gives: 1,
      gas: 30,
      memory: [{ offset: 0, size: 1 }],
      perWord: { size: 1, gas: 6 },
      run: 'keccak256',
    },
  ],
};

const WORD_AT_OFFSET = [{ offset: 0, bytes: 32 }] as const;

/** Loads and stores of memory. */
export const MEMORY: OpcodeGroup = {
  module: 'memory',
  opcodes: [
    { code: 0x51, name: 'MLOAD', takes: 1, gives: 1, gas: 3, memory: WORD_AT_OFFSET, run: 'mload' },
    { code: 0x52, name: 'MSTORE', takes: 2, gives: 0, gas: 3, memory: WORD_AT_OFFSET, run: 'mstore' },
    { code: 0x53, name: 'MSTORE8', takes: 2, gives: 0, gas: 3, memory: [{ offset: 0, bytes: 1 }], run: 'mstore8' },
    { code: 0x59, name: 'MSIZE', takes: 0, gives: 1, gas: 2, run: 'msize' },
  ],
};
