import type { Opcode, OpcodeGroup } from './opcode.ts';

/** An opcode that pushes a word of the frame, of the transaction or of the block. */
const word = (code: number, name: string, address: string): Opcode => ({
  ...{ code, name, takes: 0, gives: 1, gas: 2 },
  ...{ run: 'pushWord', args: ['sp', `layout.${address}`] },
});

/** 0x30 to 0x4a, but for copies and accounts. */
export const ENVIRONMENT: OpcodeGroup = {
  module: 'environment',
  opcodes: [
    word(0x30, 'ADDRESS', 'FRAME_ADDRESS'),
    word(0x32, 'ORIGIN', 'ORIGIN'),
    word(0x33, 'CALLER', 'FRAME_CALLER'),
    word(0x34, 'CALLVALUE', 'FRAME_VALUE'),
    { code: 0x35, name: 'CALLDATALOAD', takes: 1, gives: 1, gas: 3, run: 'callDataLoad' },
    { code: 0x36, name: 'CALLDATASIZE', takes: 0, gives: 1, gas: 2, run: 'callDataSize' },
    { code: 0x38, name: 'CODESIZE', takes: 0, gives: 1, gas: 2, run: 'codeSize' },
    word(0x3a, 'GASPRICE', 'GAS_PRICE'),
    { code: 0x3d, name: 'RETURNDATASIZE', takes: 0, gives: 1, gas: 2, run: 'returnDataSize' },
    word(0x41, 'COINBASE', 'COINBASE'),
    word(0x42, 'TIMESTAMP', 'TIMESTAMP'),
    word(0x43, 'NUMBER', 'NUMBER'),
    word(0x44, 'PREVRANDAO', 'PREV_RANDAO'),
    word(0x45, 'GASLIMIT', 'GAS_LIMIT'),
    word(0x46, 'CHAINID', 'CHAIN_ID'),
    word(0x48, 'BASEFEE', 'BASE_FEE'),
    { code: 0x49, name: 'BLOBHASH', takes: 1, gives: 1, gas: 3, since: 'cancun', run: 'blobHash' },
    { ...word(0x4a, 'BLOBBASEFEE', 'BLOB_BASE_FEE'), since: 'cancun' },
  ],
};

const COPY = { takes: 3, gives: 0, gas: 3, memory: [{ offset: 0, size: 2 }], perWord: { size: 2, gas: 3 } } as const;

/** Copies to memory. */
export const COPIES: OpcodeGroup = {
  module: 'copy',
  opcodes: [
    { code: 0x37, name: 'CALLDATACOPY', ...COPY, run: 'callDataCopy' },
    { code: 0x39, name: 'CODECOPY', ...COPY, run: 'codeCopy' },
    { code: 0x3e, name: 'RETURNDATACOPY', ...COPY, run: 'returnDataCopy', result: 'halt' },
    {
      ...{ code: 0x5e, name: 'MCOPY', ...COPY, since: 'cancun', run: 'memoryCopy' },
      memory: [
        { offset: 0, size: 2 },
        { offset: 1, size: 2 },
      ],
    },
  ],
};
