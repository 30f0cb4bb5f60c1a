import { LRUCache } from 'lru-cache';
import { type BlockHeader, decodeHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { decodeStored } from '../block/receipt.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { isDeposit, noteRecovered } from '../transaction/transaction.ts';
import type { Block } from './block.ts';
import { decodeBody } from './body.ts';

/**
 * Bytes of the block cache, as {@link weightOf} counts them, and the maximum number of blocks.
 * The number bounds memory early on a chain of small blocks. Derivation and gossip read the newest ones.
 */
const BLOCK_CACHE_BYTES = 48 * 1024 * 1024;
const MAX_CACHED_BLOCKS = 128;
/** More than `BLOCKHASH` reaches. */
const MAX_CACHED_HEADERS = 512;

/** Reads stored blocks and headers, and keeps the newest decoded ones in memory (geth: `BlockChain.GetBlock`). */
export class BlockReader {
  readonly #store: ChainStore;
  readonly #blocks = new LRUCache<Hex, Block>({
    max: MAX_CACHED_BLOCKS,
    maxSize: BLOCK_CACHE_BYTES,
    sizeCalculation: weightOf,
  });
  readonly #headers = new LRUCache<Hex, BlockHeader>({ max: MAX_CACHED_HEADERS });

  constructor(store: ChainStore) {
    this.#store = store;
  }

  header(hash: Hex): BlockHeader | undefined {
    const cached = this.#headers.get(hash) ?? this.#blocks.get(hash)?.header;
    if (cached !== undefined) return cached;
    const encoded = this.#store.header(hash);
    if (encoded === undefined) return undefined;
    const header = decodeHeader(encoded);
    this.#headers.set(hash, header);
    return header;
  }

  block(hash: Hex): Block | undefined {
    const cached = this.#blocks.get(hash);
    if (cached !== undefined) return cached;
    const stored = this.#store.block(hash);
    if (stored === undefined) return undefined;
    const block: Block = {
      hash,
      header: decodeHeader(stored.header),
      ...decodeBody(stored.body),
      receipts: decodeStored(stored.receipts),
    };
    noteSenders(block);
    this.#blocks.set(hash, block);
    return block;
  }

  /** Keeps a block that was just stored. */
  add(block: Block): void {
    this.#blocks.set(block.hash, block);
  }

  /** Forgets a block that was removed. */
  forget(hash: Hex): void {
    this.#blocks.delete(hash);
    this.#headers.delete(hash);
  }
}

/** Takes the senders of a block's transactions from its receipts (reth: the table `TransactionSenders`). */
function noteSenders({ transactions, receipts }: Block): void {
  for (const [position, { transactionHash, from }] of receipts.receipts.entries()) {
    const raw = transactions[position];
    if (raw !== undefined && !isDeposit(raw)) noteRecovered(raw, { hash: transactionHash, sender: hexToBytes(from) });
  }
}

/** Estimates the memory of a decoded block in bytes: transactions as bytes, receipts and logs as objects. */
function weightOf({ transactions, receipts }: Block): number {
  let weight = 4096;
  for (const { length } of transactions) weight += length;
  for (const { logs } of receipts.receipts) {
    weight += 1024;
    for (const { data, topics } of logs) weight += 256 + data.length + 80 * topics.length;
  }
  return weight;
}
