/** Ethereum forks of the EVM, each with what those before it have. */
export const EVM_LEVELS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** Ethereum fork of the EVM (revm: `SpecId`). */
export type EvmLevel = (typeof EVM_LEVELS)[number];

/** Returns whether an EVM level includes another. */
export function atLeast(level: EvmLevel, other: EvmLevel): boolean {
  return EVM_LEVELS.indexOf(level) >= EVM_LEVELS.indexOf(other);
}
