import { blobBaseFee } from '../parts/l1-blob-fee/fraction.ts';
import type { BlobParameters } from '../parts/rules.ts';

/** Gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072;
/** Execution gas that a blob stands for in the reserve price (EIP-7918). */
const BLOB_BASE_COST = 8192n;

/** Header excessBlobGas of the child of a block (EIP-4844, EIP-7918), under the parameters in force at the child. */
export function nextExcessBlobGas(
  parent: {
    readonly excessBlobGas?: number | undefined;
    readonly blobGasUsed?: number | undefined;
    readonly baseFeePerGas: bigint;
  },
  { target, max, updateFraction, reservePrice }: BlobParameters,
): number {
  const { excessBlobGas = 0, blobGasUsed = 0, baseFeePerGas } = parent;
  const wanted = target * GAS_PER_BLOB;
  if (excessBlobGas + blobGasUsed < wanted) return 0;
  const price = BigInt(GAS_PER_BLOB) * blobBaseFee(excessBlobGas, updateFraction);
  if (reservePrice && BLOB_BASE_COST * baseFeePerGas > price)
    return excessBlobGas + Math.floor((blobGasUsed * (max - target)) / max);
  return excessBlobGas + blobGasUsed - wanted;
}
