import type { Opcode, OpcodeGroup } from './opcode.ts';

/** Storage and transient storage. */
export const STORAGE: OpcodeGroup = {
  module: 'storage',
  opcodes: [
    { code: 0x54, name: 'SLOAD', takes: 1, gives: 1, gas: 0, dynamicGas: 'sloadGas', run: 'sload' },
    {
      ...{ code: 0x55, name: 'SSTORE', takes: 2, gives: 0, gas: 0, writes: true },
      ...{ dynamicGas: 'sstoreGas', gasArgs: ['sp', 'gas'], refund: 'sstoreRefund', run: 'sstore' },
    },
    { code: 0x5c, name: 'TLOAD', takes: 1, gives: 1, gas: 100, since: 'cancun', run: 'tload' },
    { code: 0x5d, name: 'TSTORE', takes: 2, gives: 0, gas: 100, since: 'cancun', writes: true, run: 'tstore' },
  ],
};

/** What the loop reads of accounts and blocks. */
export const ACCOUNTS: OpcodeGroup = {
  module: 'accounts',
  opcodes: [
    { code: 0x31, name: 'BALANCE', takes: 1, gives: 1, gas: 0, dynamicGas: 'topAccountGas', run: 'balance' },
    { code: 0x3b, name: 'EXTCODESIZE', takes: 1, gives: 1, gas: 0, dynamicGas: 'topAccountGas', run: 'extCodeSize' },
    {
      ...{ code: 0x3c, name: 'EXTCODECOPY', takes: 4, gives: 0, gas: 0, memory: [{ offset: 1, size: 3 }] },
      ...{ perWord: { size: 3, gas: 3 }, dynamicGas: 'topAccountGas', run: 'extCodeCopy' },
    },
    { code: 0x3f, name: 'EXTCODEHASH', takes: 1, gives: 1, gas: 0, dynamicGas: 'topAccountGas', run: 'extCodeHash' },
    { code: 0x40, name: 'BLOCKHASH', takes: 1, gives: 1, gas: 20, run: 'blockHash' },
    { code: 0x47, name: 'SELFBALANCE', takes: 0, gives: 1, gas: 5, run: 'selfBalance' },
  ],
};

/** 0xa0 to 0xa4. */
export const LOGS: OpcodeGroup = {
  module: 'log',
  opcodes: [0, 1, 2, 3, 4].map(
    (topics): Opcode => ({
      ...{ code: 0xa0 + topics, name: `LOG${topics}`, takes: 2 + topics, gives: 0, gas: 375 * (topics + 1) },
      ...{ writes: true, memory: [{ offset: 0, size: 1 }], perByte: { size: 1, gas: 8 } },
      ...{ run: 'log', args: ['sp', topics] },
    }),
  ),
};

const ends = { args: [], result: 'outcome' } as const;
const isForHost = true;

/** What the loop leaves to the host. CALL and CALLCODE take a value, the others do not. */
export const CALLS: OpcodeGroup = {
  module: 'call',
  opcodes: [
    ...[{ code: 0xf1, name: 'CALL' } as const, { code: 0xf2, name: 'CALLCODE' } as const].map(
      (each): Opcode => ({
        ...{ ...each, takes: 7, gives: 1, gas: 0, dynamicGas: 'callGas', run: 'call', ...ends, isForHost },
        memory: [
          { offset: 3, size: 4 },
          { offset: 5, size: 6 },
        ],
      }),
    ),
    ...[{ code: 0xf4, name: 'DELEGATECALL' } as const, { code: 0xfa, name: 'STATICCALL' } as const].map(
      (each): Opcode => ({
        ...{ ...each, takes: 6, gives: 1, gas: 0, dynamicGas: 'callGas', run: 'call', ...ends, isForHost },
        memory: [
          { offset: 2, size: 3 },
          { offset: 4, size: 5 },
        ],
      }),
    ),
    {
      ...{ code: 0xf0, name: 'CREATE', takes: 3, gives: 1, gas: 32000, writes: true, run: 'create', ...ends },
      // EIP-3860: 2 gas for each word of initcode.
      ...{ memory: [{ offset: 1, size: 2 }], perWord: { size: 2, gas: { paris: 0, shanghai: 2 } } },
    },
    {
      ...{ code: 0xf5, name: 'CREATE2', takes: 4, gives: 1, gas: 32000, writes: true, run: 'create', ...ends },
      // Its address needs the hash of the initcode.
      ...{ memory: [{ offset: 1, size: 2 }], perWord: { size: 2, gas: { paris: 6, shanghai: 8 } } },
    },
    {
      ...{ code: 0xff, name: 'SELFDESTRUCT', takes: 1, gives: 0, gas: 5000, writes: true },
      ...{ dynamicGas: 'selfDestructGas', run: 'selfDestruct', ...ends, isForHost },
    },
  ],
};
