import { blobBaseFee } from '../rules/l1-blob-fee/blob-base-fee.ts';
import type { BlobParameters } from '../rules/rules.ts';

/** Gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;
/** Returns the gas of a transaction's blobs (geth: `Transaction.BlobGas`). */
export function blobGasOf({ blobVersionedHashes = [] }: { readonly blobVersionedHashes?: readonly unknown[] }): bigint {
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
}

/** Execution gas that a blob stands for in the reserve price (EIP-7918). */
const BLOB_BASE_COST = 8192n;

/**
 * Computes excessBlobGas of the child of a block, under the parameters in force at the child (EIP-4844, EIP-7918).
 * Counterparts: `CalcExcessBlobGas` (geth), `next_block_excess_blob_gas_osaka` (alloy).
 */
export function nextExcessBlobGas(
  parent: {
    readonly excessBlobGas?: bigint | undefined;
    readonly blobGasUsed?: bigint | undefined;
    readonly baseFeePerGas: bigint;
  },
  { target, max, updateFraction, reservePrice }: BlobParameters,
): bigint {
  const { excessBlobGas = 0n, blobGasUsed = 0n, baseFeePerGas } = parent;
  const targetGas = BigInt(target) * GAS_PER_BLOB;
  if (excessBlobGas + blobGasUsed < targetGas) return 0n;
  const price = GAS_PER_BLOB * blobBaseFee(excessBlobGas, updateFraction);
  if (reservePrice && BLOB_BASE_COST * baseFeePerGas > price)
    return excessBlobGas + (blobGasUsed * BigInt(max - target)) / BigInt(max);
  return excessBlobGas + blobGasUsed - targetGas;
}
