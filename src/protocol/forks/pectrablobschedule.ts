import { fixedFractionBlobFee } from '../rules/l1-blob-fee/fixed-fraction.ts';
import { l1ScheduleBlobFee } from '../rules/l1-blob-fee/l1-schedule.ts';
import { defineFork } from './fork.ts';

/** Specification: Pectra blob schedule. For chains that missed L1's change of the blob base fee; by L1 origin time. */
export const pectrablobschedule = defineFork({
  name: 'pectrablobschedule',
  label: 'Pectra blob schedule',
  follows: null,
  optional: true,
  rollupKey: 'pectra_blob_schedule_time',
  genesisKey: null,
  rules: { l1BlobFee: l1ScheduleBlobFee },
  rulesUntil: { l1BlobFee: fixedFractionBlobFee },
});
