import { flzCompressLen } from './fastlz.ts';

const INTERCEPT = -42_585_600;
const FASTLZ_COEFFICIENT = 836_500;
const MIN_SIZE_SCALED = 100_000_000;

/**
 * Computes the L1 calldata gas of the bytes: 4 for a zero byte, 16 for another (EIP-2028).
 * Counterpart in op-geth and op-core: `bedrockCalldataGasUsed`.
 */
export function calldataGas(bytes: Uint8Array): number {
  let zeros = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros++;
  return zeros * 4 + (bytes.length - zeros) * 16;
}

/**
 * Estimates the size of a transaction in a compressed batch, in millionths of a byte.
 * The minimum is 100 bytes (specification: fjord). Counterparts: `estimatedDASizeScaled`, `EstimatedDASize` (op-geth,
 * op-core), `estimate_tx_compressed_size` (op-revm).
 */
export function estimatedSizeScaled(transaction: Uint8Array): number {
  return Math.max(MIN_SIZE_SCALED, INTERCEPT + FASTLZ_COEFFICIENT * flzCompressLen(transaction));
}
