import { byteAt, concat, setBits } from '../bytes.ts';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../hex.ts';
import type { Resumable } from '../resumable.ts';
import type { Hex, Log } from '../types.ts';
import { DEPOSIT_TYPE } from './deposit.ts';
import { RlpEncoded, type RlpInput, rlpEncode, rlpUint } from './rlp.ts';
import { orderedTrieSteps } from './trie.ts';

/** The fields of a log that its receipt encodes. */
export type ReceiptLog = Pick<Log, 'address' | 'topics' | 'data'>;

/**
 * A log whose fields came as bytes. It keeps them until it is stored: the receipts root and the store encode it, and
 * would decode its hex for that.
 */
export class FreshLog implements ReceiptLog {
  readonly address: Hex;
  readonly topics: Hex[];
  readonly data: Hex;
  #fields: readonly [Uint8Array, readonly Uint8Array[], Uint8Array] | undefined;
  #encoded: Uint8Array | undefined;

  constructor(address: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array) {
    this.address = bytesToHex(address);
    this.topics = topics.map(bytesToHex);
    this.data = bytesToHex(data);
    this.#fields = [address, topics, data];
  }

  /** Returns the encoding of a log that has kept its bytes. */
  static encodingOf(log: ReceiptLog): Uint8Array | undefined {
    if (!(#fields in log) || log.#fields === undefined) return undefined;
    log.#encoded ??= rlpEncode(log.#fields);
    return log.#encoded;
  }

  /** Lets a log forget its bytes. */
  static release(log: ReceiptLog): void {
    if (!(#fields in log)) return;
    log.#fields = undefined;
    log.#encoded = undefined;
  }
}

/** Encodes a log as its receipt has it, address, topics and data (geth: `Log`). @throws ProtocolError hex-malformed */
export function encodeLog(log: ReceiptLog): Uint8Array {
  const { address, topics, data } = log;
  return (
    FreshLog.encodingOf(log) ??
    rlpEncode([hexToSized(address, 20), topics.map((topic) => hexToSized(topic, 32)), hexToBytes(data)])
  );
}

/** Like {@link encodeLog}, for the last time: a fresh log forgets its bytes. */
export function takeEncodedLog(log: ReceiptLog): Uint8Array {
  const encoded = encodeLog(log);
  FreshLog.release(log);
  return encoded;
}

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
const EMPTY_BLOOM = new Uint8Array(BLOOM_BYTES);

/** Numbers of the three bits of a value in a bloom filter. The values of a block's logs recur. */
type BloomMemory = Map<Hex, readonly number[]>;

/** Computes the bloom filter of logs, 256 bytes (geth: `CreateBloom`). */
export function logsBloom(logs: Iterable<ReceiptLog>, memory: BloomMemory = new Map()): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addToBloom(bloom, address, memory);
    for (const topic of topics) addToBloom(bloom, topic, memory);
  }
  return bloom;
}

/**
 * Encodes a receipt for consensus (geth: `Receipts.EncodeIndex`; EIP-2718). `bloom`: that of its logs.
 * Specification: Deposits, Deposit Receipt.
 */
export function encodeReceipt(receipt: Receipt, bloom = logsBloom(receipt.logs)): Uint8Array {
  const fields: RlpInput[] = [
    rlpUint(receipt.status ? 1 : 0),
    rlpUint(receipt.cumulativeGasUsed),
    bloom,
    receipt.logs.map((log) => new RlpEncoded(encodeLog(log))),
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
  const memory: BloomMemory = new Map();
  for (const receipt of receipts) {
    const bloom = receipt.logs.length === 0 ? EMPTY_BLOOM : logsBloom(receipt.logs, memory);
    if (bloom !== EMPTY_BLOOM) for (let at = 0; at < BLOOM_BYTES; at++) setBits(whole, at, byteAt(bloom, at));
    encoded.push(encodeReceipt(receipt, bloom));
    yield;
  }
  return { receiptsRoot: bytesToHex(yield* orderedTrieSteps(encoded)), logsBloom: bytesToHex(whole) };
}

/** Sets the bits of a value. */
function addToBloom(bloom: Uint8Array, value: Hex, memory: BloomMemory): void {
  let bits = memory.get(value);
  if (bits === undefined) {
    bits = bitsOf(value);
    memory.set(value, bits);
  }
  for (const bit of bits) setBits(bloom, BLOOM_BYTES - 1 - (bit >> 3), 1 << (bit & 7));
}

/** Returns the numbers of three bits, each of 11 bits of the value's hash. */
function bitsOf(value: Hex): readonly number[] {
  const hash = keccak256Bytes(hexToBytes(value));
  return [0, 2, 4].map((pair) => ((byteAt(hash, pair) << 8) | byteAt(hash, pair + 1)) & 2047);
}
