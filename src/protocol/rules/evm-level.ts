/** Ethereum forks of the EVM, each with what those before it have. */
export const EVM_LEVELS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** Ethereum fork of the EVM (revm: `SpecId`). */
export type EvmLevel = (typeof EVM_LEVELS)[number];
