import { LRUCache } from 'lru-cache';
import { orderedTrieRoot } from '../../../protocol/codec/trie.ts';
import { bytesToHex, lowerHex, quantity } from '../../../protocol/hex.ts';
import type { Hex, L1Header, L1Receipt, L1Transaction } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { isJsonObject, jsonObjects } from '../../../rpc/json-object.ts';
import { encodeTransaction, encodeWithSidecar, type TransactionJson } from '../../rpc-types/transaction.ts';
import { readTransaction } from './block.ts';
import { L1Error } from './error.ts';
import { type BlockJson, readHeader } from './header.ts';
import { type FetchedReceipt, type ReceiptKind, receiptFetcher } from './receipts.ts';
import type { Requester } from './requests.ts';

/** Settings of the client (op-service: `L1ClientConfig`). */
export interface L1ClientOptions {
  readonly request: Requester;
  /** Entries of each cache: headers, transaction lists, receipt lists. */
  readonly cacheSize: number;
  /** Skips the verification of hashes. */
  readonly trusted: boolean;
  /** Kind of provider: decides how receipts are fetched. */
  readonly kind: ReceiptKind;
}

/** A label of an L1 block (op-service: `BlockLabel`). */
export type L1Label = 'latest' | 'safe' | 'finalized';

interface Block {
  readonly header: L1Header;
  readonly receiptsRoot: unknown;
  readonly transactionHashes: readonly Hex[];
}

/**
 * L1 as the rollup node reads it (op-service: `L1Client`, `EthClient`; kona: `AlloyChainProvider`).
 * Answers by hash are cached, answers by number or label are not. The requester limits and batches.
 */
export class L1Client {
  readonly #options: L1ClientOptions;
  readonly #fetchReceipts: ReturnType<typeof receiptFetcher>;
  readonly #headers: LRUCache<string, L1Header>;
  readonly #transactions: LRUCache<string, readonly L1Transaction[]>;
  readonly #blocks: LRUCache<string, Block>;
  readonly #receipts: LRUCache<string, readonly L1Receipt[]>;

  constructor(options: L1ClientOptions) {
    const max = options.cacheSize;
    this.#options = options;
    this.#fetchReceipts = receiptFetcher(options.request, options.kind);
    this.#headers = new LRUCache({ max });
    this.#transactions = new LRUCache({ max });
    // One request at a time for each hash. A failure is not cached.
    this.#blocks = new LRUCache({ max, fetchMethod: (hash) => this.#loadBlock(hash), ignoreFetchAbort: true });
    this.#receipts = new LRUCache({ max, fetchMethod: (hash) => this.#loadReceipts(hash), ignoreFetchAbort: true });
  }

  async chainId(): Promise<number> {
    return Number(await this.#options.request('eth_chainId', []));
  }

  /** Returns a header (op-service: `InfoByHash`); null if L1 does not have the block (any more). */
  async headerByHash(hash: Hex): Promise<L1Header | null> {
    return this.#headers.get(hash) ?? (await orNull(this.#blocks.forceFetch(hash)))?.header ?? null;
  }

  /** Returns a header (op-service: `InfoByNumber`); null if L1 has no such block yet. */
  headerByNumber(number: number): Promise<L1Header | null> {
    return this.#headerByTag(quantity(number));
  }

  /** Returns the block of a label (op-service: `L1BlockRefByLabel`); null if L1 has none yet. */
  async headerByLabel(label: L1Label): Promise<L1Header | null> {
    try {
      return await this.#headerByTag(label);
    } catch (error) {
      if (error instanceof RpcError && label !== 'latest') return null;
      throw error;
    }
  }

  /** Like `headerByNumber`, and caches the block's transactions from the same request. @throws L1Error mismatch */
  async blockByNumber(number: number): Promise<L1Header | null> {
    const json = blockOf(await this.#options.request('eth_getBlockByNumber', [quantity(number), true]));
    if (json === null) return null;
    const block = this.#readBlock(json);
    this.#blocks.set(block.header.hash, block);
    return block.header;
  }

  /**
   * Returns the transactions of a block (op-service: `InfoAndTxsByHash`); null if L1 does not have it (any more).
   * @throws L1Error mismatch
   */
  async transactions(blockHash: Hex): Promise<readonly L1Transaction[] | null> {
    const cached = this.#transactions.get(blockHash);
    if (cached) return cached;
    return (await orNull(this.#blocks.forceFetch(blockHash))) && (this.#transactions.get(blockHash) ?? []);
  }

  /**
   * Returns the receipts of a block (op-service: `FetchReceipts`); null if L1 does not have it (any more).
   * @throws L1Error mismatch with the header's receipts root
   */
  receipts(blockHash: Hex): Promise<readonly L1Receipt[] | null> {
    return orNull(this.#receipts.forceFetch(blockHash));
  }

  /** Returns a storage word at a block (op-service: `ReadStorageAt`, without its proof). */
  async storageAt(address: Hex, slot: Hex, block: Hex | L1Label): Promise<Hex> {
    const at = block.startsWith('0x') ? { blockHash: block } : block;
    return lowerHex(String(await this.#options.request('eth_getStorageAt', [address, slot, at])));
  }

  /** Caches a header that a subscription delivered. @throws L1Error mismatch */
  learn(json: BlockJson): L1Header {
    const cached = this.#headers.get(String(json['hash']));
    if (cached) return cached;
    const header = readHeader(json, this.#options.trusted);
    this.#headers.set(header.hash, header);
    return header;
  }

  async #headerByTag(tag: string): Promise<L1Header | null> {
    const json = blockOf(await this.#options.request('eth_getBlockByNumber', [tag, false]));
    return json === null ? null : this.learn(json);
  }

  async #loadBlock(hash: string): Promise<Block> {
    const json = blockOf(await this.#options.request('eth_getBlockByHash', [hash, true]));
    if (json === null)
      throw new L1Error('not-found', `L1 has no block ${hash}: it was reorganised away, or L1 restarted`);
    if (json['hash'] !== hash) throw new L1Error('mismatch', `asked L1 for block ${hash}, got ${String(json['hash'])}`);
    return this.#readBlock(json);
  }

  /** Reads and checks a block with its transactions. @throws L1Error mismatch */
  #readBlock(json: BlockJson): Block {
    const header = this.learn(json);
    const listed = jsonObjects(json['transactions'], 'transactions of an L1 block');
    if (!this.#options.trusted && !areThoseOf(listed, json['transactionsRoot']))
      throw new L1Error(
        'mismatch',
        `the transactions of L1 block ${header.number} (${header.hash}) are not those of its header`,
      );
    const transactions = listed.map(readTransaction);
    this.#transactions.set(header.hash, transactions);
    return {
      header,
      receiptsRoot: json['receiptsRoot'],
      transactionHashes: transactions.map((transaction) => transaction.hash),
    };
  }

  /** Fetches and checks the receipts of a block (op-service: `validateReceipts`). @throws L1Error */
  async #loadReceipts(hash: string): Promise<readonly L1Receipt[]> {
    const cached = this.#blocks.get(hash);
    if (cached?.transactionHashes.length === 0) return [];
    const reading = cached ? Promise.resolve(cached) : this.#blocks.forceFetch(hash);
    // Both requests go out together. The block's failure is the one that counts.
    const fetching = this.#fetchReceipts(lowerHex(hash), reading);
    fetching.catch(() => {});
    const block = await reading;
    if (block.transactionHashes.length === 0) return [];
    const { number } = block.header;
    const list = await fetching;
    if (list.length !== block.transactionHashes.length)
      throw new L1Error(
        'mismatch',
        `L1 block ${number} has ${block.transactionHashes.length} transactions, L1 answered ${list.length} receipts`,
      );
    if (!this.#options.trusted && root(list.map((receipt) => receipt.encode())) !== block.receiptsRoot)
      throw new L1Error('mismatch', `the receipts of L1 block ${number} (${hash}) are not those of its header`);
    return readReceipts(list);
  }
}

/** Reads receipts in their order, which numbers their logs. */
function readReceipts(list: readonly FetchedReceipt[]): readonly L1Receipt[] {
  let logs = 0;
  return list.map((receipt) => {
    const next = receipt.read(logs);
    logs += next.logs.length;
    return next;
  });
}

/** Returns an answer as a block. @throws L1Error mismatch if it is neither a block nor null */
function blockOf(answer: unknown): BlockJson | null {
  if (answer === null || isJsonObject(answer)) return answer;
  throw new L1Error('mismatch', `L1 answered ${typeof answer} as a block`);
}

const root = (items: readonly Uint8Array[]): Hex => bytesToHex(orderedTrieRoot(items));

/** Checks the transactions of a block against the root in its header (op-service: `RPCBlock.verify`). */
function areThoseOf(transactions: readonly TransactionJson[], transactionsRoot: unknown): boolean {
  if (root(transactions.map(encodeTransaction)) === transactionsRoot) return true;
  const haveSidecars = transactions.some((transaction) => 'blobs' in transaction);
  return haveSidecars && root(transactions.map(encodeWithSidecar)) === transactionsRoot;
}

async function orNull<Value>(loading: Promise<Value>): Promise<Value | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof L1Error && error.kind === 'not-found') return null;
    throw error;
  }
}
