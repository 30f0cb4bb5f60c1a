import type { Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import type { Block } from '../../../../src/nodes/execution/chain/block.ts';
import type { BlockHeader } from '../../../../src/protocol/codec/header.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** Returns a hash of one repeated byte. */
export const hashOf = (byte: number): Hex => `0x${byte.toString(16).padStart(2, '0').repeat(32)}`;
/** Returns an address of one repeated byte. */
export const addressOf = (byte: number): Hex => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`;

/** A header with the fields that every fork has. */
export const PARIS_HEADER: BlockHeader = {
  parentHash: hashOf(1),
  beneficiary: addressOf(2),
  stateRoot: hashOf(3),
  transactionsRoot: hashOf(4),
  receiptsRoot: hashOf(5),
  logsBloom: `0x${'06'.repeat(256)}`,
  number: 7,
  gasLimit: 0x1c9c380n,
  gasUsed: 0x90n,
  timestamp: 0xa0n,
  extraData: '0x0b',
  mixHash: hashOf(12),
  baseFeePerGas: 13n,
};

/** Returns the receipt of a call that succeeded, with other fields. */
export const receiptOf = (fields: Partial<Receipt> = {}): Receipt => ({
  type: 2,
  status: true,
  cumulativeGasUsed: 0x5208n,
  logs: [],
  transactionHash: hashOf(0x20),
  from: addressOf(0x21),
  to: addressOf(0x22),
  gasUsed: 0x5207n,
  effectiveGasPrice: 17n,
  contractAddress: null,
  ...fields,
});

/** Returns a block of encoded transactions and receipts. */
export function blockOf(
  transactions: readonly Hex[],
  receipts: readonly Receipt[],
  fields: Partial<Pick<Block, 'header' | 'withdrawals'>> & {
    readonly feeFields?: Readonly<Record<string, string>>;
  } = {},
): Block {
  const { header = PARIS_HEADER, withdrawals = [], feeFields = {} } = fields;
  return {
    hash: hashOf(0xbb),
    header: { ...header },
    transactions: transactions.map(hexToBytes),
    withdrawals,
    receipts: { receipts, feeFields },
  };
}
