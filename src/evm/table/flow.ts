import type { OpcodeGroup } from './opcode.ts';

/** Order of execution. */
export const FLOW: OpcodeGroup = {
  module: 'flow',
  opcodes: [
    { code: 0x00, name: 'STOP', takes: 0, gives: 0, gas: 0, run: 'stop', args: [], result: 'outcome' },
    {
      ...{ code: 0x56, name: 'JUMP', takes: 1, gives: 0, gas: 8 },
      ...{ run: 'jump', args: ['pc', 'sp'], result: 'program-counter' },
    },
    {
      ...{ code: 0x57, name: 'JUMPI', takes: 2, gives: 0, gas: 10 },
      ...{ run: 'jumpi', args: ['pc', 'sp'], result: 'program-counter' },
    },
    { code: 0x58, name: 'PC', takes: 0, gives: 1, gas: 2, run: 'programCounter', args: ['pc', 'sp'] },
    { code: 0x5a, name: 'GAS', takes: 0, gives: 1, gas: 2, run: 'gasLeft', args: ['sp', 'gas'] },
    { code: 0x5b, name: 'JUMPDEST', takes: 0, gives: 0, gas: 1, run: 'jumpdest' },
    {
      ...{ code: 0xf3, name: 'RETURN', takes: 2, gives: 0, gas: 0, memory: [{ offset: 0, size: 1 }] },
      ...{ run: 'returnMemory', result: 'outcome' },
    },
    {
      ...{ code: 0xfd, name: 'REVERT', takes: 2, gives: 0, gas: 0, memory: [{ offset: 0, size: 1 }] },
      ...{ run: 'revert', result: 'outcome' },
    },
    { code: 0xfe, name: 'INVALID', takes: 0, gives: 0, gas: 0, run: 'invalid', args: [], result: 'outcome' },
  ],
};
