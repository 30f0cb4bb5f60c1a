import type { L1BlobFeeRules, L1BlobSchedule } from '../rules.ts';
import { blobBaseFeeOf, CANCUN_UPDATE_FRACTION, PRAGUE_UPDATE_FRACTION } from './blob-base-fee.ts';

/** States in L1 attributes the blob base fee that L1 itself charges (op-service: `BlockInfo.BlobBaseFee`). */
export const l1ScheduleBlobFee: L1BlobFeeRules = {
  blobBaseFee: (origin, schedule) => blobBaseFeeOf(origin, schedule(origin)),
};

/**
 * Blob schedule of an L1 without blob-parameter forks.
 * Prague's update fraction applies from the first header with a requestsHash on, Cancun's before.
 */
export const headerBlobSchedule: L1BlobSchedule = (header) =>
  header.requestsHash === undefined ? CANCUN_UPDATE_FRACTION : PRAGUE_UPDATE_FRACTION;
