import type { Common } from '@ethereumjs/common';
import type { EVM } from '@ethereumjs/evm';

/**
 * Opcode tables of a fork in the EVM library (geth: `JumpTable`).
 * All EVMs of the fork share them; creating them is the main cost.
 */
export interface OpcodeTables {
  readonly opcodes: EVM['_opcodes'];
  readonly handlers: EVM['_handlers'];
  readonly dynamicGas: EVM['_dynamicGasHandlers'];
  readonly map: EVM['_opcodeMap'];
}

/** Caches the data that derive from the library's gas table. A test that changes that table clears both maps. */
export const OPCODE_TABLE_CACHE = {
  /** By fork and chain id. */
  commons: new Map<string, Common>(),
  /** By fork, and whether the EVM has a budget. */
  opcodes: new Map<string, OpcodeTables>(),
};
