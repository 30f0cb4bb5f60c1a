import { EVM_LEVELS, type EvmLevel } from '../../../protocol/rules/evm-level.ts';

/** Returns whether an EVM level includes another. */
export function atLeast(level: EvmLevel, other: EvmLevel): boolean {
  return EVM_LEVELS.indexOf(level) >= EVM_LEVELS.indexOf(other);
}
