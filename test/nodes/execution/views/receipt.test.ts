import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import { GO } from '../../../../src/nodes/execution/flavours/go/index.ts';
import { RUST } from '../../../../src/nodes/execution/flavours/rust/index.ts';
import { logPositionOf, logView, receiptView } from '../../../../src/nodes/execution/views/receipt.ts';
import { DEPOSIT_TYPE } from '../../../../src/protocol/codec/deposit.ts';
import { logsBloom } from '../../../../src/protocol/codec/receipt.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { addressOf, blockOf, hashOf, receiptOf } from './sample-block.ts';

const log = (byte: number) => ({ address: addressOf(byte), topics: [hashOf(byte)], data: '0x0a0b' as const });
const FEES = { l1GasPrice: '0x1', l1BaseFeeScalar: '0x2' };
const PLAIN = {
  type: '0x2',
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
  transactionHash: hashOf(0x20),
  transactionIndex: '0x0',
  blockHash: hashOf(0xbb),
  blockNumber: '0x7',
  from: addressOf(0x21),
  to: addressOf(0x22),
  gasUsed: '0x5207',
  effectiveGasPrice: '0x11',
  contractAddress: null,
};

describe('the JSON of a receipt', () => {
  const created = { to: null, contractAddress: addressOf(0x44), status: false };
  const paid = { l1Fee: 0x99n, l1GasUsed: 0x98n };
  const footprint = { ...FEES, daFootprintGasScalar: '0x3' };
  const deposit = { type: DEPOSIT_TYPE, depositNonce: 4n };
  const noFee = { l1GasUsed: '0x0', l1Fee: '0x0' };

  it.each<[string, Partial<Receipt>, Record<string, string>, typeof GO.views, object]>([
    ['a call on plain Ethereum', {}, {}, GO.views, {}],
    ['a creation that failed', created, {}, GO.views, { to: null, contractAddress: addressOf(0x44), status: '0x0' }],
    ['a call that paid for L1', paid, FEES, GO.views, { ...FEES, l1GasUsed: '0x98', l1Fee: '0x99' }],
    ['a call that paid nothing for L1', {}, FEES, GO.views, { ...FEES, ...noFee }],
    [
      'a call under jovian',
      { ...paid, daFootprint: 0x55 },
      footprint,
      GO.views,
      { ...footprint, l1GasUsed: '0x98', l1Fee: '0x99', blobGasUsed: '0x55' },
    ],
    ['a call without a footprint', {}, footprint, GO.views, { ...footprint, ...noFee, blobGasUsed: '0x0' }],
    ['a deposit in op-geth', deposit, footprint, GO.views, { type: '0x7e', depositNonce: '0x4' }],
    [
      'a deposit in op-reth',
      deposit,
      footprint,
      RUST.views,
      { type: '0x7e', depositNonce: '0x4', ...footprint, ...noFee, blobGasUsed: '0x0' },
    ],
    [
      'a deposit under canyon',
      { ...deposit, depositReceiptVersion: 1 },
      FEES,
      GO.views,
      { type: '0x7e', depositNonce: '0x4', depositReceiptVersion: '0x1' },
    ],
  ])('of %s has exactly these fields', (_, fields, feeFields, views, more) => {
    expect(receiptView(blockOf([], [receiptOf(fields)], { feeFields }), 0, views)).toEqual({ ...PLAIN, ...more });
  });

  it('counts logs from the first of its block, and holds their bloom', () => {
    const logs = [log(0x51), log(0x52)];
    const block = blockOf([], [receiptOf({ logs: [log(0x50)] }), receiptOf(), receiptOf({ logs })]);
    const view = receiptView(block, 2, GO.views);
    expect(view).toMatchObject({
      logsBloom: bytesToHex(logsBloom(logs)),
      transactionIndex: '0x2',
      logs: [
        { logIndex: '0x1', transactionIndex: '0x2', address: addressOf(0x51), removed: false },
        { logIndex: '0x2', transactionIndex: '0x2', address: addressOf(0x52), removed: false },
      ],
    });
    expect(receiptView(block, 2, GO.views, 1)).toEqual(view);
  });

  it('is absent beyond the end of its block', () => {
    expect(() => receiptView(blockOf([], [receiptOf()]), 1, GO.views, 0)).toThrow('receipt 1');
    expect(() => logPositionOf(blockOf([], [receiptOf()]), 1, 0)).toThrow('receipt 1');
  });
});

describe('the JSON of a log', () => {
  it.each([
    ['op-geth', GO.views, false, {}],
    ['op-reth', RUST.views, true, { blockTimestamp: '0xa0' }],
  ])('has exactly the fields of %s', (_, views, removed, more) => {
    const place = logPositionOf(blockOf([], [receiptOf(), receiptOf({ transactionHash: hashOf(0x60) })]), 1, 3);
    expect(logView(place, log(0x50), removed, views)).toEqual({
      address: addressOf(0x50),
      topics: [hashOf(0x50)],
      data: '0x0a0b',
      blockNumber: '0x7',
      blockHash: hashOf(0xbb),
      transactionHash: hashOf(0x60),
      transactionIndex: '0x1',
      logIndex: '0x3',
      removed,
      ...more,
    });
  });
});
