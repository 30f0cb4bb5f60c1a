import { Common, Mainnet } from '@ethereumjs/common';
import { paramsEVM } from '@ethereumjs/evm';
import type { EvmLevel } from '../../../protocol/rules/rules.ts';
import { customCrypto } from './crypto.ts';
import { OPCODE_TABLE_CACHE } from './opcode-table-cache.ts';

/**
 * Returns the library's description of an Ethereum fork for a chain.
 * It is a copy, because each EVM leaves a listener on it.
 */
export function commonAt(level: EvmLevel, chainId: number): Common {
  const key = `${level}/${chainId}`;
  let common = OPCODE_TABLE_CACHE.commons.get(key);
  if (common === undefined) {
    common = new Common({ chain: { ...Mainnet, chainId }, hardfork: level, customCrypto, params: paramsEVM });
    OPCODE_TABLE_CACHE.commons.set(key, common);
  }
  return common.copy();
}
