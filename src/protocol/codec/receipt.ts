import { byteAt, concat, setBits } from '../bytes.ts';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../hex.ts';
import type { Resumable } from '../resumable.ts';
import type { Hex, Log } from '../types.ts';
import { DEPOSIT_TYPE } from './deposit.ts';
import { type RlpItem, rlpEncode, rlpUint } from './rlp.ts';
import { orderedTrieSteps } from './trie.ts';

/** The fields of a log that its receipt encodes. */
export type ReceiptLog = Pick<Log, 'address' | 'topics' | 'data'>;

/** The consensus part of a receipt (geth: `Receipt`, op-geth: `depositReceiptRLP`). */
export interface Receipt {
  readonly type: number;
  /** true if the transaction succeeded */
  readonly status: boolean;
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly ReceiptLog[];
  /** Of deposits: nonce of the sender before execution. */
  readonly depositNonce?: bigint;
  /** Of deposits from canyon on: 1. Only then the nonce is part of the encoding. */
  readonly depositReceiptVersion?: number;
}

const BLOOM_BYTES = 256;

/** Computes the bloom filter of logs, 256 bytes (geth: `CreateBloom`). */
export function logsBloom(logs: Iterable<ReceiptLog>): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addToBloom(bloom, address);
    for (const topic of topics) addToBloom(bloom, topic);
  }
  return bloom;
}

/**
 * Encodes a receipt for consensus (geth: `Receipts.EncodeIndex`; EIP-2718). `bloom`: that of its logs.
 * Specification: Deposits, Deposit Receipt.
 */
export function encodeReceipt(receipt: Receipt, bloom = logsBloom(receipt.logs)): Uint8Array {
  const fields: RlpItem[] = [
    rlpUint(receipt.status ? 1 : 0),
    rlpUint(receipt.cumulativeGasUsed),
    bloom,
    receipt.logs.map(({ address, topics, data }) => [
      hexToSized(address, 20),
      topics.map((topic) => hexToSized(topic, 32)),
      hexToBytes(data),
    ]),
  ];
  const { depositNonce, depositReceiptVersion } = receipt;
  if (receipt.type === DEPOSIT_TYPE && depositNonce !== undefined && depositReceiptVersion !== undefined) {
    fields.push(rlpUint(depositNonce), rlpUint(depositReceiptVersion));
  }
  const body = rlpEncode(fields);
  return receipt.type === 0 ? body : concat(Uint8Array.of(receipt.type), body);
}

/** The header fields that commit to a block's receipts. */
export interface ReceiptsSummary {
  readonly receiptsRoot: Hex;
  readonly logsBloom: Hex;
}

/**
 * Computes root and bloom filter of a block's receipts (geth: `DeriveSha`, `MergeBloom`; alloy:
 * `calculate_receipt_root`).
 */
export function* summarizeReceipts(receipts: readonly Receipt[]): Resumable<ReceiptsSummary> {
  const whole = new Uint8Array(BLOOM_BYTES);
  const encoded: Uint8Array[] = [];
  for (const receipt of receipts) {
    const bloom = logsBloom(receipt.logs);
    for (let at = 0; at < BLOOM_BYTES; at++) setBits(whole, at, byteAt(bloom, at));
    encoded.push(encodeReceipt(receipt, bloom));
    yield;
  }
  return { receiptsRoot: bytesToHex(yield* orderedTrieSteps(encoded)), logsBloom: bytesToHex(whole) };
}

/** Sets three bits, each by 11 bits of the value's hash. */
function addToBloom(bloom: Uint8Array, value: Hex): void {
  const hash = keccak256Bytes(hexToBytes(value));
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = ((byteAt(hash, pair) << 8) | byteAt(hash, pair + 1)) & 2047;
    setBits(bloom, BLOOM_BYTES - 1 - (bit >> 3), 1 << (bit & 7));
  }
}
