import type { TransactionReceipt } from 'viem';
import { expect, it } from 'vitest';
import { mustEndAs, RECEIPT_VALUES, receiptEvidence } from '../../../src/orchestrator/scenario/receipts.ts';
import { EXIT } from '../../../src/system/failure.ts';

const [HASH, BLOCK_HASH] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`];
const [A, B, C] = ['0xa', '0xb', '0xc'];
const receipt = (more: object = {}) =>
  ({
    ...{ transactionHash: HASH, blockNumber: 7n, blockHash: BLOCK_HASH, from: A, to: B, gasUsed: 21_000n },
    ...{ status: 'success', logs: [{}, {}], contractAddress: null },
    ...more,
  }) as unknown as TransactionReceipt;
const VALUES = {
  ...{ hash: HASH, status: 'success', block: 7, blockHash: BLOCK_HASH, from: A, to: B, gasUsed: 21_000, logs: 2 },
};

it('the evidence of a receipt holds the values that later steps may refer to', () => {
  expect(receiptEvidence(receipt())).toEqual(VALUES);
  expect(receiptEvidence(receipt({ contractAddress: undefined }))).toEqual(VALUES);
  const created = receiptEvidence(receipt({ contractAddress: C }));
  expect(created).toEqual({ ...VALUES, address: C });
  expect(RECEIPT_VALUES.toSorted()).toEqual(Object.keys(created).toSorted());
});

it('a transaction that ends otherwise than expected fails its step with the receipt', () => {
  expect(mustEndAs('success', receipt())).toEqual(VALUES);
  const reverted = receipt({ status: 'reverted' });
  expect(mustEndAs('reverted', reverted)).toEqual({ ...VALUES, status: 'reverted' });
  expect(() => mustEndAs('success', reverted)).toThrow(
    expect.objectContaining({
      code: 'status',
      exit: EXIT.failed,
      message: expect.stringMatching(/in block 7 has the status reverted, expected success$/),
      data: { ...VALUES, status: 'reverted' },
    }),
  );
});
