import type { Hex } from '../types.ts';
import type { PrecompileRules } from './rules.ts';

const BN256_PAIRING: Hex = '0x0000000000000000000000000000000000000008';
const BLS_G1_MSM: Hex = '0x000000000000000000000000000000000000000c';
const BLS_G2_MSM: Hex = '0x000000000000000000000000000000000000000e';
const BLS_PAIRING: Hex = '0x000000000000000000000000000000000000000f';

/** Ethereum's own precompiles, without limits on their input. */
export const bedrockPrecompiles: PrecompileRules = { inputLimits: {} };

/** Adds P256VERIFY at 0x100 (RIP-7212). */
export const fjordPrecompiles: PrecompileRules = { inputLimits: {}, p256VerifyGas: 3450 };

export const granitePrecompiles: PrecompileRules = { ...fjordPrecompiles, inputLimits: { [BN256_PAIRING]: 112_687 } };

export const isthmusPrecompiles: PrecompileRules = {
  ...fjordPrecompiles,
  inputLimits: { [BN256_PAIRING]: 112_687, [BLS_G1_MSM]: 513_760, [BLS_G2_MSM]: 488_448, [BLS_PAIRING]: 235_008 },
};

export const jovianPrecompiles: PrecompileRules = {
  ...fjordPrecompiles,
  inputLimits: { [BN256_PAIRING]: 81_984, [BLS_G1_MSM]: 288_960, [BLS_G2_MSM]: 278_784, [BLS_PAIRING]: 156_672 },
};

/** Osaka's price of P256VERIFY (EIP-7951) and cap on a transaction's gas (EIP-7825, not for deposits). */
export const karstPrecompiles: PrecompileRules = {
  inputLimits: { ...jovianPrecompiles.inputLimits, [BN256_PAIRING]: 57_600 },
  p256VerifyGas: 6900,
  transactionGasCap: 2 ** 24,
};
