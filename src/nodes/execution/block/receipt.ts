import { NO_BYTES } from '../../../protocol/bytes.ts';
import { type Receipt as ConsensusReceipt, type ReceiptLog, takeEncodedLog } from '../../../protocol/codec/receipt.ts';
import {
  asBigInt,
  asBytes,
  asList,
  RlpEncoded,
  type RlpInput,
  type RlpItem,
  rlpDecode,
  rlpEncode,
  rlpListOfEncoded,
  rlpUint,
} from '../../../protocol/codec/rlp.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Resumable } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';

/** A receipt with all fields that JSON-RPC shows (geth: `types.Receipt`, `DeriveFields`). Gas and wei. */
export interface Receipt extends ConsensusReceipt {
  readonly transactionHash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly contractAddress: Hex | null;
  /** Absent for deposits: L1 data fee in wei, and the L1 gas that it pays for. */
  readonly l1Fee?: bigint;
  readonly l1GasUsed?: bigint;
  /** Data-availability footprint in gas, if the rules have one. */
  readonly daFootprint?: number;
}

/** Receipts of a block in their stored form, with the fee fields that they share. */
export interface BlockReceipts {
  readonly receipts: readonly Receipt[];
  /** Fee parameters of the block under their JSON-RPC names. */
  readonly feeFields: Readonly<Record<string, string>>;
}

/** Encodes the receipts of a block for the store, in steps (geth: `ReceiptForStorage`). */
export function* encodeStored(block: BlockReceipts): Resumable<Uint8Array> {
  const optional = (value: bigint | number | undefined): RlpItem => (value === undefined ? [] : [rlpUint(value)]);
  const receipts: Uint8Array[] = [];
  for (const receipt of block.receipts) {
    const fields: RlpInput[] = [
      rlpUint(receipt.type),
      hexToBytes(receipt.transactionHash),
      hexToBytes(receipt.from),
      receipt.to === null ? NO_BYTES : hexToBytes(receipt.to),
      rlpUint(receipt.status ? 1 : 0),
      rlpUint(receipt.gasUsed),
      rlpUint(receipt.cumulativeGasUsed),
      rlpUint(receipt.effectiveGasPrice),
      receipt.contractAddress === null ? NO_BYTES : hexToBytes(receipt.contractAddress),
      receipt.logs.map((log) => new RlpEncoded(takeEncodedLog(log))),
      optional(receipt.depositNonce),
      optional(receipt.depositReceiptVersion),
      optional(receipt.l1Fee),
      optional(receipt.l1GasUsed),
      optional(receipt.daFootprint),
    ];
    receipts.push(rlpEncode(fields));
    yield;
  }
  const feeFields = rlpEncode(new TextEncoder().encode(JSON.stringify(block.feeFields)));
  return rlpListOfEncoded([feeFields, rlpListOfEncoded(receipts)]);
}

/** Inverse of {@link encodeStored}. @throws ProtocolError rlp-malformed */
export function decodeStored(bytes: Uint8Array): BlockReceipts {
  const [fields, receipts] = asList(rlpDecode(bytes), 'stored receipts', 2);
  return {
    feeFields: JSON.parse(new TextDecoder().decode(asBytes(fields, 'fee fields'))) as Record<string, string>,
    receipts: asList(receipts, 'receipts').map(decodeReceipt),
  };
}

function decodeReceipt(item: RlpItem): Receipt {
  const fields = asList(item, 'receipt', 15);
  const number = (at: number) => Number(asBigInt(fields[at], 'integer'));
  const address = (at: number) => {
    const bytes = asBytes(fields[at], 'address');
    return bytes.length === 0 ? null : bytesToHex(bytes);
  };
  const optional = (at: number): bigint | undefined => {
    const [value] = asList(fields[at], 'optional');
    return value === undefined ? undefined : asBigInt(value, 'integer');
  };
  const [depositNonce, depositReceiptVersion, l1Fee, l1GasUsed, daFootprint] = [10, 11, 12, 13, 14].map(optional);
  return {
    type: number(0),
    transactionHash: bytesToHex(asBytes(fields[1], 'hash')),
    from: bytesToHex(asBytes(fields[2], 'from')),
    to: address(3),
    status: number(4) === 1,
    gasUsed: asBigInt(fields[5], 'gas'),
    cumulativeGasUsed: asBigInt(fields[6], 'gas'),
    effectiveGasPrice: asBigInt(fields[7], 'price'),
    contractAddress: address(8),
    logs: asList(fields[9], 'logs').map(decodeLog),
    ...(depositNonce === undefined ? {} : { depositNonce }),
    ...(depositReceiptVersion === undefined ? {} : { depositReceiptVersion: Number(depositReceiptVersion) }),
    ...(l1Fee === undefined ? {} : { l1Fee }),
    ...(l1GasUsed === undefined ? {} : { l1GasUsed }),
    ...(daFootprint === undefined ? {} : { daFootprint: Number(daFootprint) }),
  };
}

function decodeLog(item: RlpItem): ReceiptLog {
  const [address, topics, data] = asList(item, 'log', 3);
  return {
    address: bytesToHex(asBytes(address, 'address')),
    topics: asList(topics, 'topics').map((topic) => bytesToHex(asBytes(topic, 'topic'))),
    data: bytesToHex(asBytes(data, 'data')),
  };
}
