import type { OpcodeGroup } from './opcode.ts';

/** 0x10 to 0x15. */
export const COMPARISON: OpcodeGroup = {
  module: 'comparison',
  opcodes: [
    { code: 0x10, name: 'LT', takes: 2, gives: 1, gas: 3, run: 'lt' },
    { code: 0x11, name: 'GT', takes: 2, gives: 1, gas: 3, run: 'gt' },
    { code: 0x12, name: 'SLT', takes: 2, gives: 1, gas: 3, run: 'slt' },
    { code: 0x13, name: 'SGT', takes: 2, gives: 1, gas: 3, run: 'sgt' },
    { code: 0x14, name: 'EQ', takes: 2, gives: 1, gas: 3, run: 'eq' },
    { code: 0x15, name: 'ISZERO', takes: 1, gives: 1, gas: 3, run: 'iszero' },
  ],
};

/** 0x16 to 0x1d. */
export const BITWISE: OpcodeGroup = {
  module: 'bitwise',
  opcodes: [
    { code: 0x16, name: 'AND', takes: 2, gives: 1, gas: 3, run: 'and' },
    { code: 0x17, name: 'OR', takes: 2, gives: 1, gas: 3, run: 'or' },
    { code: 0x18, name: 'XOR', takes: 2, gives: 1, gas: 3, run: 'xor' },
    { code: 0x19, name: 'NOT', takes: 1, gives: 1, gas: 3, run: 'not' },
    { code: 0x1a, name: 'BYTE', takes: 2, gives: 1, gas: 3, run: 'byte' },
    { code: 0x1b, name: 'SHL', takes: 2, gives: 1, gas: 3, run: 'shl' },
    { code: 0x1c, name: 'SHR', takes: 2, gives: 1, gas: 3, run: 'shr' },
    { code: 0x1d, name: 'SAR', takes: 2, gives: 1, gas: 3, run: 'sar' },
  ],
};

/** EIP-7939. */
export const COUNT_LEADING_ZEROS: OpcodeGroup = {
  module: 'clz',
  opcodes: [{ code: 0x1e, name: 'CLZ', takes: 1, gives: 1, gas: 5, since: 'osaka', run: 'countLeadingZeros' }],
};
