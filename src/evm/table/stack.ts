import type { Opcode, OpcodeGroup } from './opcode.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** POP and 0x5f to 0x9f. */
export const STACK: OpcodeGroup = {
  module: 'stack',
  opcodes: [
    { code: 0x50, name: 'POP', takes: 1, gives: 0, gas: 2, run: 'pop' },
    { code: 0x5f, name: 'PUSH0', takes: 0, gives: 1, gas: 2, since: 'shanghai', run: 'push0' },
    ...upTo(32).map(
      (n): Opcode => ({
        ...{ code: 0x5f + n, name: `PUSH${n}`, takes: 0, gives: 1, gas: 3, data: n },
        ...{ run: 'push', args: ['pc', 'sp', n] },
      }),
    ),
    ...upTo(16).map(
      (n): Opcode => ({
        ...{ code: 0x7f + n, name: `DUP${n}`, takes: n, gives: n + 1, gas: 3 },
        ...{ run: 'dup', args: ['sp', n] },
      }),
    ),
    ...upTo(16).map(
      (n): Opcode => ({
        ...{ code: 0x8f + n, name: `SWAP${n}`, takes: n + 1, gives: n + 1, gas: 3 },
        ...{ run: 'swap', args: ['sp', n] },
      }),
    ),
  ],
};
