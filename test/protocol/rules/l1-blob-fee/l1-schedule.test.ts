import { expect, test } from 'vitest';
import { fixedFractionBlobFee } from '../../../../src/protocol/rules/l1-blob-fee/fixed-fraction.ts';
import { headerBlobSchedule, l1ScheduleBlobFee } from '../../../../src/protocol/rules/l1-blob-fee/l1-schedule.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';

const cancun: L1Header = {
  hash: '0x01',
  parentHash: '0x00',
  number: 1,
  timestamp: 1,
  baseFeePerGas: 1n,
  mixHash: '0x03',
  // e^(2,314,058 / 3,338,477) is 2 (EIP-4844), e^(2,314,058 / 5,007,716) is 1 (EIP-7691).
  excessBlobGas: 2_314_058,
};
const prague: L1Header = { ...cancun, requestsHash: '0x04' };
const { excessBlobGas: _, ...london } = cancun;

test('the first header with a requestsHash begins prague’s fraction when no blob-parameter forks are known', () => {
  expect([london, cancun, prague].map(headerBlobSchedule)).toEqual([3_338_477n, 3_338_477n, 5_007_716n]);
});

test('the blob base fee follows the schedule of L1', () => {
  expect([london, cancun, prague].map((origin) => l1ScheduleBlobFee.blobBaseFee(origin, headerBlobSchedule))).toEqual([
    1n,
    2n,
    1n,
  ]);
});

test('the blob base fee keeps cancun’s fraction where the rollup has not activated the Pectra blob schedule', () => {
  expect(
    [london, cancun, prague].map((origin) => fixedFractionBlobFee.blobBaseFee(origin, headerBlobSchedule)),
  ).toEqual([1n, 2n, 2n]);
});
