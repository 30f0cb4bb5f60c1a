import type { Hex } from '../types.ts';

/**
 * Addresses of the precompiles whose input a fork bounds (op-geth: `PrecompiledContractsGranite`,
 * `PrecompiledContractsJovian`).
 */
export const BN256_PAIRING: Hex = '0x0000000000000000000000000000000000000008';
export const BLS_G1_MSM: Hex = '0x000000000000000000000000000000000000000c';
export const BLS_G2_MSM: Hex = '0x000000000000000000000000000000000000000e';
export const BLS_PAIRING: Hex = '0x000000000000000000000000000000000000000f';
