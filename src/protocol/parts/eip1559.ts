import { EIP1559_DENOMINATOR, EIP1559_DENOMINATOR_CANYON, EIP1559_ELASTICITY } from '../execution/constants.ts';
import type { Eip1559Rules } from './rules.ts';

/** Chain constants at bedrock: the first denominator. */
export const bedrockEip1559: Eip1559Rules = {
  constants: (chain) => ({
    denominator: chain?.eip1559Denominator ?? EIP1559_DENOMINATOR,
    elasticity: chain?.eip1559Elasticity ?? EIP1559_ELASTICITY,
    minBaseFee: 0,
  }),
};

/** Chain constants from canyon on: its own denominator. */
export const canyonEip1559: Eip1559Rules = {
  constants: (chain) => ({
    denominator: chain?.eip1559DenominatorCanyon ?? EIP1559_DENOMINATOR_CANYON,
    elasticity: chain?.eip1559Elasticity ?? EIP1559_ELASTICITY,
    minBaseFee: 0,
  }),
};

/** Ethereum's own constants (EIP-1559). */
export const ethereumEip1559: Eip1559Rules = {
  constants: () => ({ denominator: 8, elasticity: 2, minBaseFee: 0 }),
};
