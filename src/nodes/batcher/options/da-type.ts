import { MAX_BLOB_DATA_SIZE } from '../../../protocol/codec/blob.ts';
import type { GasPrices } from '../../txmgr/fees.ts';

/** Carrier of frames on L1 (op-batcher: `DataAvailabilityType`). */
export type DaType = 'calldata' | 'blobs';

/** Values of `--data-availability-type` (op-batcher: `DataAvailabilityTypes`). */
export const DATA_AVAILABILITY_TYPES = ['calldata', 'blobs', 'auto'] as const;
/** The configured choice; auto: the cheaper one when a channel is opened. */
export type DataAvailabilityType = (typeof DATA_AVAILABILITY_TYPES)[number];

const TRANSFER_GAS = 21_000n;
/** Gas of a nonzero byte by the calldata floor of EIP-7623. Compressed data has few zeros. */
const BYTE_GAS = 40n;
const GAS_PER_BLOB = 131_072n;

/**
 * Returns the DA type with the lower price per byte (op-batcher: `DynamicEthChannelConfig`).
 * It compares a full calldata transaction with one of `frames` full blobs.
 */
export function cheaperDaType({ baseFee, tip, blobBaseFee }: GasPrices, maxTxSize: number, frames: number): DaType {
  const price = baseFee + tip;
  const calldataBytes = BigInt(maxTxSize);
  const calldataCost = (calldataBytes * BYTE_GAS + TRANSFER_GAS) * price;
  const blobBytes = BigInt(MAX_BLOB_DATA_SIZE * frames);
  const blobCost = GAS_PER_BLOB * BigInt(frames) * blobBaseFee + TRANSFER_GAS * price;
  return blobCost * calldataBytes > calldataCost * blobBytes ? 'calldata' : 'blobs';
}
