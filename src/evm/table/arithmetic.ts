import type { OpcodeGroup } from './opcode.ts';

/** 0x01 to 0x0b. */
export const ARITHMETIC: OpcodeGroup = {
  module: 'arithmetic',
  opcodes: [
    { code: 0x01, name: 'ADD', takes: 2, gives: 1, gas: 3, run: 'add' },
    { code: 0x02, name: 'MUL', takes: 2, gives: 1, gas: 5, run: 'mul' },
    { code: 0x03, name: 'SUB', takes: 2, gives: 1, gas: 3, run: 'sub' },
    { code: 0x04, name: 'DIV', takes: 2, gives: 1, gas: 5, run: 'div' },
    { code: 0x05, name: 'SDIV', takes: 2, gives: 1, gas: 5, run: 'sdiv' },
    { code: 0x06, name: 'MOD', takes: 2, gives: 1, gas: 5, run: 'mod' },
    { code: 0x07, name: 'SMOD', takes: 2, gives: 1, gas: 5, run: 'smod' },
    { code: 0x08, name: 'ADDMOD', takes: 3, gives: 1, gas: 8, run: 'addmod' },
    { code: 0x09, name: 'MULMOD', takes: 3, gives: 1, gas: 8, run: 'mulmod' },
    { code: 0x0a, name: 'EXP', takes: 2, gives: 1, gas: 10, dynamicGas: 'expGas', run: 'exp' },
    { code: 0x0b, name: 'SIGNEXTEND', takes: 2, gives: 1, gas: 5, run: 'signextend' },
  ],
};
