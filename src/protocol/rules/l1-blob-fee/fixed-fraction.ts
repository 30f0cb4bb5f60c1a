import type { L1BlobFeeRules } from '../rules.ts';
import { blobBaseFeeOf, CANCUN_UPDATE_FRACTION } from './blob-base-fee.ts';

/**
 * Keeps Cancun's fraction until the Pectra blob schedule activates, whatever L1 charges (op-service:
 * `CalcBlobFeeCancun`).
 */
export const fixedFractionBlobFee: L1BlobFeeRules = {
  blobBaseFee: (origin) => blobBaseFeeOf(origin, CANCUN_UPDATE_FRACTION),
};
