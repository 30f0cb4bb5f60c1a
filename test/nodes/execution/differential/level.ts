import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';

export const LEVELS: readonly EvmLevel[] = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'];

/** Whether a level includes another. */
export function atLevel(level: EvmLevel, from: EvmLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(from);
}
