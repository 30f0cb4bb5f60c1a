import type { EvmLevel } from '../../../protocol/rules/rules.ts';

const LEVELS: readonly EvmLevel[] = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** Returns whether an EVM level includes another. */
export function atLeast(level: EvmLevel, other: EvmLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(other);
}
