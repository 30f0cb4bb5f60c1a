import type { L1BlobFeeRules } from '../rules.ts';
import { blobBaseFeeOf, CANCUN_UPDATE_FRACTION } from './blob-base-fee.ts';

/** A chain that scheduled the Pectra blob schedule keeps Cancun's fraction until then, whatever L1 charges. */
export const fixedFractionBlobFee: L1BlobFeeRules = {
  blobBaseFee: (origin) => blobBaseFeeOf(origin, CANCUN_UPDATE_FRACTION),
};
