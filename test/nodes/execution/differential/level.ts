import { EVM_LEVELS, type EvmLevel } from '../../../../src/protocol/rules/evm-level.ts';

export const LEVELS: readonly EvmLevel[] = EVM_LEVELS;

/** Whether a level includes another. */
export function atLevel(level: EvmLevel, from: EvmLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(from);
}
