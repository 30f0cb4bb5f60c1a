import { CANCUN_UPDATE_FRACTION, PRAGUE_UPDATE_FRACTION } from './l1-blob-fee/fraction.ts';
import type { BlobParameters, LayerOneRules } from './rules.ts';

/** Ethereum from the merge on: fees of its own, no deposits. */
export const parisLayerOne: LayerOneRules = { withdrawals: false, blobs: null, requests: false };

export const shanghaiLayerOne: LayerOneRules = { ...parisLayerOne, withdrawals: true };

const cancunBlobs: BlobParameters = {
  target: 3,
  max: 6,
  updateFraction: CANCUN_UPDATE_FRACTION,
  maxPerTransaction: 6,
  reservePrice: false,
};

/** EIP-4844. */
export const cancunLayerOne: LayerOneRules = { ...shanghaiLayerOne, blobs: cancunBlobs };

const pragueBlobs: BlobParameters = {
  ...cancunBlobs,
  target: 6,
  max: 9,
  updateFraction: PRAGUE_UPDATE_FRACTION,
  maxPerTransaction: 9,
};

/** EIP-7691 and EIP-7685. */
export const pragueLayerOne: LayerOneRules = { ...cancunLayerOne, blobs: pragueBlobs, requests: true };

/** EIP-7594 (blobs of one transaction), EIP-7918 (reserve price) and EIP-7934 (size of a block). */
export const osakaLayerOne: LayerOneRules = {
  ...pragueLayerOne,
  blobs: { ...pragueBlobs, maxPerTransaction: 6, reservePrice: true },
  maxBlockBytes: 8_388_608,
};
