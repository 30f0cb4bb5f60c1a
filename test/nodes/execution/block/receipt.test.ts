import { describe, expect, it } from 'vitest';
import { decodeStored, encodeStored, type Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import { type RlpItem, rlpDecode, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import { addressOf, hashOf } from '../views/sample-block.ts';

const PLAIN: Receipt = {
  type: 2,
  status: true,
  cumulativeGasUsed: 9n,
  logs: [{ address: addressOf(1), topics: [hashOf(2), hashOf(3)], data: '0x0405' }],
  transactionHash: hashOf(6),
  from: addressOf(7),
  to: addressOf(8),
  gasUsed: 3n,
  effectiveGasPrice: 11n,
  contractAddress: null,
};
const DEPOSIT: Receipt = {
  ...PLAIN,
  type: 0x7e,
  status: false,
  to: null,
  contractAddress: addressOf(12),
  logs: [],
  depositNonce: 0n,
  depositReceiptVersion: 1,
  l1GasUsed: 14n,
  daFootprint: 15,
};
const FIELDS = { l1GasPrice: '0x1' };
const stored = (...receipts: readonly Receipt[]) => runToCompletion(encodeStored({ receipts, feeFields: FIELDS }));

describe('stored receipts', () => {
  it.each<[string, Receipt]>([
    ['a transaction', PLAIN],
    ['a transaction that pays for L1', { ...PLAIN, l1Fee: 0n, l1GasUsed: 13n }],
    ['a deposit', DEPOSIT],
    ['a deposit before canyon', { ...PLAIN, type: 0x7e, depositNonce: 7n }],
  ])('have exactly the fields of %s', (_, receipt) => {
    expect(decodeStored(stored(receipt, PLAIN))).toStrictEqual({ receipts: [receipt, PLAIN], feeFields: FIELDS });
  });

  it('are encoded one at a time', () => {
    expect([...encodeStored({ receipts: [PLAIN, DEPOSIT], feeFields: {} })]).toHaveLength(2);
  });

  const [feeFields, [receipt]] = rlpDecode(stored(PLAIN)) as [RlpItem, [RlpItem[]]];
  /** Stored receipts whose one receipt has another item at a place. */
  const changedAt = (at: number, item: RlpItem) => rlpEncode([feeFields, [receipt!.with(at, item)]]);
  const BYTES = Uint8Array.of(1);
  it.each<[string, Uint8Array]>([
    ['stored receipts must have 2 items', rlpEncode([feeFields])],
    ['fee fields must be a byte string', rlpEncode([[], []])],
    ['receipts must be a list', rlpEncode([feeFields, BYTES])],
    ['receipt must have 15 items', rlpEncode([feeFields, [receipt!.slice(1)]])],
    ['integer must be a byte string', changedAt(0, [])],
    ['hash must be a byte string', changedAt(1, [])],
    ['from must be a byte string', changedAt(2, [])],
    ['address must be a byte string', changedAt(3, [])],
    ['gas must be a byte string', changedAt(5, [])],
    ['gas must be a byte string', changedAt(6, [])],
    ['price must be a byte string', changedAt(7, [])],
    ['logs must be a list', changedAt(9, BYTES)],
    ['log must have 3 items', changedAt(9, [[]])],
    ['address must be a byte string', changedAt(9, [[[], [], BYTES]])],
    ['topics must be a list', changedAt(9, [[BYTES, BYTES, BYTES]])],
    ['topic must be a byte string', changedAt(9, [[BYTES, [[]], BYTES]])],
    ['data must be a byte string', changedAt(9, [[BYTES, [], []]])],
    ['optional must be a list', changedAt(10, BYTES)],
    ['integer must be a byte string', changedAt(12, [[]])],
  ])('are malformed when %s', (problem, bytes) => {
    expect(() => decodeStored(bytes)).toThrow(problem);
  });
});
