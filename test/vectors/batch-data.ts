import { concat, concatAll } from '../../src/protocol/bytes.ts';
import { channelBatches, channelCompression } from '../../src/protocol/codec/channel.ts';
import { decodeBatcherTransaction, encodeBatcherTransaction } from '../../src/protocol/codec/frame.ts';
import { encodeSingularBatch } from '../../src/protocol/codec/singular-batch.ts';
import { encodeRawSpanBatch, SPAN_BATCH_TYPE, spanBatchOf } from '../../src/protocol/codec/span/batch.ts';
import { splitTransactions } from '../../src/protocol/codec/span/transactions.ts';
import { decodeTransaction, transactionType } from '../../src/protocol/codec/transaction.ts';
import { decodeBatch } from '../../src/protocol/derivation/batch/batch-data.ts';
import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { decompressors } from '../../src/system/files/decompress.ts';
import { same, type VectorCase, type VectorKind } from './kind.ts';

/** OP Sepolia. Most samples have its data, and its config lays out blocks and transactions. */
const CHAIN = { genesisTime: 1_691_802_540, blockTime: 2, chainId: 11_155_420 };
const MAX_RLP_BYTES = 100_000_000;
/** Literals of at least 1,000 bytes, or whole files. */
const SOURCES = /(batcher_transactions|span_batch)\.rs$|derive\/stages\/\w+Test\.java$/;
const SAMPLES = /(^|\/)(raw_batcher_tx|raw_batch|batch)\.hex$/;

/** Reads a span batch after its type byte, lays it out by block, and writes it again. */
function checkSpan(content: Uint8Array): void {
  const encoded = concat(Uint8Array.of(SPAN_BATCH_TYPE), content);
  const batch = decodeBatch(encoded);
  if (batch.kind !== 'span') throw new Error('no span batch');
  same('span batch', bytesToHex(encodeRawSpanBatch(batch.batch)), bytesToHex(encoded));
  const { blocks } = spanBatchOf(batch.batch, CHAIN);
  const transactions = blocks.flatMap((block) => block.transactions).map(hexToBytes);
  for (const transaction of transactions) decodeTransaction(transaction);
  const again = splitTransactions(transactions, BigInt(CHAIN.chainId));
  same('columns of transactions', again, batch.batch.txs);
}

/** Reads and writes every batch of a channel. No byte may be left over. */
async function checkChannel(channel: Uint8Array): Promise<void> {
  const compression = channelCompression(channel);
  if (compression === null) throw new Error(`no compression begins with ${channel[0]}`);
  const plain = await decompressors[compression](
    compression === 'brotli' ? channel.subarray(1) : channel,
    MAX_RLP_BYTES,
  );
  const batches = [...channelBatches(plain)];
  if (batches.length === 0) throw new Error('no batch');
  for (const encoded of batches) {
    const batch = decodeBatch(encoded);
    if (batch.kind === 'span') checkSpan(encoded.subarray(1));
    else same('singular batch', bytesToHex(encodeSingularBatch(batch.batch)), bytesToHex(encoded));
  }
}

/** Reads and writes the frames of a batcher transaction, and the channel if it is whole. */
async function checkBatcherData(data: Uint8Array): Promise<void> {
  const frames = decodeBatcherTransaction(data);
  same('frames', bytesToHex(encodeBatcherTransaction(frames)), bytesToHex(data));
  if (frames.every(({ number }, at) => number === at) && frames.at(-1)?.isLast)
    await checkChannel(concatAll(frames.map((frame) => frame.data)));
}

/** Returns the kind of a sample by its first bytes. */
function caseOf(name: string, bytes: Uint8Array): VectorCase[] {
  if (transactionType(bytes) === 2)
    return [{ name: `${name}: batcher transaction`, check: () => checkBatcherData(calldataOf(bytes)) }];
  if (bytes[0] === 0) return [{ name: `${name}: data of a batcher transaction`, check: () => checkBatcherData(bytes) }];
  if (channelCompression(bytes) !== null) return [{ name: `${name}: channel`, check: () => checkChannel(bytes) }];
  return [];
}

function calldataOf(transaction: Uint8Array): Uint8Array {
  const { data } = decodeTransaction(transaction).fields;
  if (!(data instanceof Uint8Array)) throw new Error('a transaction without data');
  return data;
}

/**
 * Samples of derivation in other implementations.
 * They are batcher transactions, channels and span batches of real chains. Each is read and written again.
 */
export const batchData: VectorKind = {
  name: 'batcher transactions, channels and batches',
  files: new RegExp(`${SOURCES.source}|${SAMPLES.source}`),
  cases(path, text, bytes) {
    if (!SAMPLES.test(path))
      return [...text.matchAll(/"(?:0x)?([0-9a-f]{2000,})"/g)].flatMap(([, digits], at) =>
        caseOf(`${path} ${at}`, hexToBytes(`0x${digits}` as Hex)),
      );
    if (path.endsWith('raw_batch.hex')) return [{ name: `${path}: span batch`, check: () => checkSpan(bytes) }];
    const isText = /^[0-9a-f]+\s*$/.test(text);
    return caseOf(path, isText ? hexToBytes(`0x${text.trim()}` as Hex) : bytes);
  },
};
