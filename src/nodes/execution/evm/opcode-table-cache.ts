import type { Common } from '@ethereumjs/common';
import type { EVM } from '@ethereumjs/evm';

/** What the library makes of a fork's opcodes: the same for every EVM of that fork, and most of what making one takes. */
export interface OpcodeTables {
  readonly opcodes: EVM['_opcodes'];
  readonly handlers: EVM['_handlers'];
  readonly dynamicGas: EVM['_dynamicGasHandlers'];
  readonly map: EVM['_opcodeMap'];
}

/** What was made of the library's gas table; whoever changes that table empties both. */
export const OPCODE_TABLE_CACHE = {
  /** By fork and chain. */
  commons: new Map<string, Common>(),
  /** By fork, and whether code looks at the clock. */
  opcodes: new Map<string, OpcodeTables>(),
};
