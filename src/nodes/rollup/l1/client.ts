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
import { type ReceiptKind, receiptFetcher } from './receipts.ts';
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

/**
 * L1 as the rollup node reads it (op-service: `L1Client`, `EthClient`; kona: `AlloyChainProvider`).
 * Answers by hash are cached, answers by number or label are not.
 */
export interface L1Client {
  chainId(): Promise<number>;
  /** Returns a header (op-service: `InfoByHash`); null where L1 does not have the block (any more). */
  headerByHash(hash: Hex): Promise<L1Header | null>;
  /** Returns a header (op-service: `InfoByNumber`); null where L1 has no such block yet. */
  headerByNumber(number: number): Promise<L1Header | null>;
  /** Returns the block of a label (op-service: `L1BlockRefByLabel`); null where L1 has none yet. */
  headerByLabel(label: L1Label): Promise<L1Header | null>;
  /** Like `headerByNumber`, and caches the block's transactions from the same request. @throws L1Error mismatch */
  blockByNumber(number: number): Promise<L1Header | null>;
  /**
   * Returns the transactions of a block (op-service: `InfoAndTxsByHash`); null where L1 does not have it (any more).
   * @throws L1Error mismatch
   */
  transactions(blockHash: Hex): Promise<readonly L1Transaction[] | null>;
  /**
   * Returns the receipts of a block (op-service: `FetchReceipts`); null where L1 does not have it (any more).
   * @throws L1Error mismatch with the header's receipts root
   */
  receipts(blockHash: Hex): Promise<readonly L1Receipt[] | null>;
  /** Returns a storage word at a block (op-service: `ReadStorageAt`, without its proof). */
  storageAt(address: Hex, slot: Hex, block: Hex | L1Label): Promise<Hex>;
  /** Caches a header that a subscription delivered. @throws L1Error mismatch */
  learn(json: BlockJson): L1Header;
}

interface Block {
  readonly header: L1Header;
  readonly receiptsRoot: unknown;
  readonly transactionHashes: readonly Hex[];
}

/** Creates the client (op-service: `NewL1Client`). The requester limits and batches. */
export function l1Client(options: L1ClientOptions): L1Client {
  const max = options.cacheSize;
  const headers = new LRUCache<string, L1Header>({ max });
  const transactionLists = new LRUCache<string, readonly L1Transaction[]>({ max });
  // One request at a time for each hash. A failure is not cached.
  const blocks = new LRUCache<string, Block>({ max, fetchMethod: loadBlock, ignoreFetchAbort: true });
  const receipts = new LRUCache<string, readonly L1Receipt[]>({
    max,
    fetchMethod: loadReceipts,
    ignoreFetchAbort: true,
  });
  const fetchReceipts = receiptFetcher(options.request, options.kind);

  function learn(json: BlockJson): L1Header {
    const known = headers.get(String(json['hash']));
    if (known) return known;
    const header = readHeader(json, options.trusted);
    headers.set(header.hash, header);
    return header;
  }

  async function loadBlock(hash: string): Promise<Block> {
    const json = blockOf(await options.request('eth_getBlockByHash', [hash, true]));
    if (json === null)
      throw new L1Error('not-found', `L1 has no block ${hash}: it was reorganised away, or L1 restarted`);
    if (json['hash'] !== hash) throw new L1Error('mismatch', `asked L1 for block ${hash}, got ${String(json['hash'])}`);
    return wholeBlock(json);
  }

  /** @throws L1Error mismatch */
  function wholeBlock(json: BlockJson): Block {
    const header = learn(json);
    const listed = jsonObjects(json['transactions'], 'transactions of an L1 block');
    if (!options.trusted && !areThoseOf(listed, json['transactionsRoot']))
      throw new L1Error(
        'mismatch',
        `the transactions of L1 block ${header.number} (${header.hash}) are not those of its header`,
      );
    const transactions = listed.map(readTransaction);
    transactionLists.set(header.hash, transactions);
    return {
      header,
      receiptsRoot: json['receiptsRoot'],
      transactionHashes: transactions.map((transaction) => transaction.hash),
    };
  }

  /** Fetches and checks the receipts of a block (op-service: `validateReceipts`). @throws L1Error */
  async function loadReceipts(hash: string): Promise<readonly L1Receipt[]> {
    const known = blocks.get(hash);
    if (known?.transactionHashes.length === 0) return [];
    const reading = known ? Promise.resolve(known) : blocks.forceFetch(hash);
    // Both requests go out together. The block's failure is the one that counts.
    const fetching = fetchReceipts(lowerHex(hash), reading);
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
    if (!options.trusted && root(list.map((receipt) => receipt.encode())) !== block.receiptsRoot)
      throw new L1Error('mismatch', `the receipts of L1 block ${number} (${hash}) are not those of its header`);
    const read: L1Receipt[] = [];
    let logs = 0;
    for (const receipt of list) {
      const next = receipt.read(logs);
      logs += next.logs.length;
      read.push(next);
    }
    return read;
  }

  async function byTag(tag: string): Promise<L1Header | null> {
    const json = blockOf(await options.request('eth_getBlockByNumber', [tag, false]));
    return json === null ? null : learn(json);
  }

  return {
    learn,
    chainId: async () => Number(await options.request('eth_chainId', [])),
    headerByHash: async (hash) => headers.get(hash) ?? (await orNull(blocks.forceFetch(hash)))?.header ?? null,
    headerByNumber: (number) => byTag(quantity(number)),
    async blockByNumber(number) {
      const json = blockOf(await options.request('eth_getBlockByNumber', [quantity(number), true]));
      if (json === null) return null;
      const block = wholeBlock(json);
      blocks.set(block.header.hash, block);
      return block.header;
    },
    headerByLabel: async (label) => {
      try {
        return await byTag(label);
      } catch (error) {
        if (error instanceof RpcError && label !== 'latest') return null;
        throw error;
      }
    },
    async transactions(hash) {
      const known = transactionLists.get(hash);
      if (known) return known;
      return (await orNull(blocks.forceFetch(hash))) && (transactionLists.get(hash) ?? []);
    },
    receipts: (hash) => orNull(receipts.forceFetch(hash)),
    async storageAt(address, slot, block) {
      const at = block.startsWith('0x') ? { blockHash: block } : block;
      return lowerHex(String(await options.request('eth_getStorageAt', [address, slot, at])));
    },
  };
}

/** Returns an answer as a block. @throws L1Error mismatch where it is neither a block nor null */
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
