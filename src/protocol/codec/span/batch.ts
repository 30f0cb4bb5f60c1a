import { concat, concatAll } from '../../bytes.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../../hex.ts';
import { present } from '../../present.ts';
import type { Hex } from '../../types.ts';
import type { SingularBatch } from '../singular-batch.ts';
import { encodeBits, encodeUvarint, MAX_SPAN_BATCH_ELEMENT_COUNT, SpanReader, spanError } from './reader.ts';
import {
  encodeSpanTransactions,
  joinTransactions,
  readSpanTransactions,
  type SpanTransactions,
  splitTransactions,
} from './transactions.ts';

/** First byte of an encoded span batch. */
export const SPAN_BATCH_TYPE = 1;

/** The chain parameters that a span batch is relative to. Times in seconds. */
export interface SpanChain {
  readonly genesisTime: number;
  readonly blockTime: number;
  readonly chainId: number;
}

/** A span batch as it is encoded (op-node, kona: `RawSpanBatch`; specification: delta, Span Batch Format). */
export interface RawSpanBatch {
  /** Timestamp of the first block, relative to genesis; any number of 64 bits. */
  readonly relTimestamp: bigint;
  /** L1 origin of the last block; any number of 64 bits. */
  readonly l1OriginNum: bigint;
  /** First 20 bytes of the hash of the first block's parent. */
  readonly parentCheck: Hex;
  /** First 20 bytes of the hash of the last block's L1 origin. */
  readonly l1OriginCheck: Hex;
  /** By block: whether its L1 origin differs from its parent's. */
  readonly originBits: readonly boolean[];
  readonly blockTxCounts: readonly number[];
  readonly txs: SpanTransactions;
}

/** One block of a span batch (op-node, kona: `SpanBatchElement`). */
export interface SpanBlock {
  readonly epochNum: number;
  readonly timestamp: number;
  readonly transactions: readonly Hex[];
}

/** A span batch laid out by block (op-node, kona: `SpanBatch`). */
export interface SpanBatch {
  readonly parentCheck: Hex;
  readonly l1OriginCheck: Hex;
  readonly blocks: readonly SpanBlock[];
}

/**
 * Decodes the batch behind the type byte (op-node: `RawSpanBatch.decode`, kona: `RawSpanBatch::decode`).
 * @throws ProtocolError batch-malformed or rlp-malformed
 */
export function decodeRawSpanBatch(content: Uint8Array): RawSpanBatch {
  const reader = new SpanReader(content);
  const relTimestamp = reader.uvarint('rel_timestamp');
  const l1OriginNum = reader.uvarint('l1_origin_num');
  const parentCheck = bytesToHex(reader.take(20, 'parent_check'));
  const l1OriginCheck = bytesToHex(reader.take(20, 'l1_origin_check'));
  const blockCount = reader.count('block_count');
  if (blockCount === 0) throw spanError('block_count', 'expected at least one block');
  const originBits = reader.bits(blockCount, 'origin_bits');
  const blockTxCounts: number[] = [];
  let total = 0;
  for (let block = 0; block < blockCount; block++) {
    const count = reader.count('block_tx_counts');
    total += count;
    if (total > MAX_SPAN_BATCH_ELEMENT_COUNT)
      throw spanError('block_tx_counts', `more than ${MAX_SPAN_BATCH_ELEMENT_COUNT} transactions`);
    blockTxCounts.push(count);
  }
  const txs = readSpanTransactions(reader, total);
  return { relTimestamp, l1OriginNum, parentCheck, l1OriginCheck, originBits, blockTxCounts, txs };
}

/** Encodes 0x01 ‖ prefix ‖ payload (op-node: `RawSpanBatch.encode`, kona: `RawSpanBatch::encode`). */
export function encodeRawSpanBatch(batch: RawSpanBatch): Uint8Array {
  return concatAll([
    concat(Uint8Array.of(SPAN_BATCH_TYPE), encodeUvarint(batch.relTimestamp), encodeUvarint(batch.l1OriginNum)),
    hexToSized(batch.parentCheck, 20),
    hexToSized(batch.l1OriginCheck, 20),
    encodeUvarint(batch.blockTxCounts.length),
    encodeBits(batch.originBits),
    ...batch.blockTxCounts.map(encodeUvarint),
    encodeSpanTransactions(batch.txs),
  ]);
}

/**
 * Lays a span batch out by block (op-node: `RawSpanBatch.ToSpanBatch`, kona: `RawSpanBatch::derive`).
 * Epochs count back from the last block's origin, times forward from the first.
 * @throws ProtocolError batch-malformed
 */
export function spanBatchOf(raw: RawSpanBatch, chain: SpanChain): SpanBatch {
  const transactions = joinTransactions(raw.txs, BigInt(chain.chainId)).map(bytesToHex);
  const epochs: number[] = [];
  for (let block = raw.originBits.length - 1, epoch = raw.l1OriginNum; block >= 0; block--) {
    epochs[block] = wrapped(epoch);
    if (raw.originBits[block]) epoch--;
  }
  const start = BigInt(chain.genesisTime) + raw.relTimestamp;
  let end = 0;
  const blocks = raw.blockTxCounts.map((count, block) => {
    end += count;
    return {
      epochNum: present(epochs[block], 'epoch of a block'),
      timestamp: wrapped(start + BigInt(block * chain.blockTime)),
      transactions: transactions.slice(end - count, end),
    };
  });
  return { parentCheck: raw.parentCheck, l1OriginCheck: raw.l1OriginCheck, blocks };
}

/**
 * Makes the span batch of consecutive blocks (op-node: `NewSpanBatch`, `AppendSingularBatch`, `ToRawSpanBatch`).
 * `originChanged`: the L1 origin of the first block differs from its parent's (sequence number 0).
 * @throws ProtocolError batch-malformed if the blocks do not fit one span batch
 */
export function rawSpanBatchOf(
  blocks: readonly SingularBatch[],
  originChanged: boolean,
  chain: SpanChain,
): RawSpanBatch {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) throw spanError('block_count', 'expected at least one block');
  for (const [index, block] of blocks.entries()) {
    const expected = first.timestamp + index * chain.blockTime;
    if (block.timestamp !== expected)
      throw spanError('rel_timestamp', `block ${index} is at ${block.timestamp}, expected ${expected}`);
  }
  return {
    relTimestamp: BigInt(first.timestamp - chain.genesisTime),
    l1OriginNum: BigInt(last.epochNum),
    parentCheck: check(first.parentHash),
    l1OriginCheck: check(last.epochHash),
    originBits: blocks.map(({ epochNum }, index) => {
      const before = blocks[index - 1];
      return before === undefined ? originChanged : epochNum !== before.epochNum;
    }),
    blockTxCounts: blocks.map(({ transactions }) => transactions.length),
    txs: splitTransactions(
      blocks.flatMap(({ transactions }) => transactions.map(hexToBytes)),
      BigInt(chain.chainId),
    ),
  };
}

/** Returns the part of a hash that a span batch keeps: its first 20 bytes. */
export function check(hash: Hex): Hex {
  return `0x${hash.slice(2, 42)}`;
}

/**
 * Reads a 64-bit number with the overflow of Go's uint64. Past 2^53 it is inexact, but still differs from every real
 * block's.
 */
function wrapped(value: bigint): number {
  return Number(BigInt.asUintN(64, value));
}
