import { getContractAddress, isAddress } from 'viem';
import { type JsonObject, jsonObjects } from '../../../rpc/json-object.ts';
import { ask, blocksAt, type Layer, numbersOf, SEARCHED_BLOCKS } from '../../inspect/layer.ts';

/** Transactions that are kept of a layer: the newest. */
const MAX_KEPT_TRANSACTIONS = 200_000;
/** Blocks of one request. */
const STEP_BLOCKS = 100;
const TURN_MS = 600;

/** A transaction in short. Addresses are in lower case. */
interface Entry {
  readonly hash: string;
  readonly block: number;
  readonly from: string;
  /** null: it creates a contract. */
  readonly to: string | null;
  /** wei in hex */
  readonly value: string;
}

/** The transactions of an address in the blocks that are searched so far, the newest first. */
export interface IndexAnswer {
  readonly from: number;
  readonly isComplete: boolean;
  readonly transactions: readonly Entry[];
}

/** Knows the transactions of each layer's newest blocks, for every page. A layer is read once a page asks for it. */
export interface TransactionIndex {
  of(layer: Layer, address: string): Promise<IndexAnswer>;
  /** Lists the addresses that transactions created, then those that they called, the newest first. */
  receivers(layer: Layer): Promise<readonly string[]>;
}

interface KnownBlock {
  readonly number: number;
  readonly hash: string;
  readonly entries: readonly Entry[];
  /** Addresses of the contracts that its transactions create, unless they revert. */
  readonly created: readonly string[];
}

/** What is known of a layer. Entries stand in blocks from the oldest on. */
interface Cache {
  readonly blocks: KnownBlock[];
  count: number;
  isComplete: boolean;
}

/** Creates an index that knows nothing. `turnMs`: for which older blocks are read in one answer; the next goes on. */
export function transactionIndex(turnMs = TURN_MS): TransactionIndex {
  const layers = new Map<string, Cache>();
  let before: Promise<unknown> = Promise.resolve();

  /** Reads the blocks above those that are known; after a reorganisation all of them anew. */
  async function follow(layer: Layer, head: number): Promise<Cache> {
    const cache = layers.get(layer.url) ?? { blocks: [], count: 0, isComplete: false };
    layers.set(layer.url, cache);
    const tip = cache.blocks.at(-1);
    if (tip === undefined || head - tip.number > SEARCHED_BLOCKS) {
      Object.assign(cache, { blocks: [], count: 0, isComplete: false });
      add(cache, await readBlocks(layer, Math.max(0, head - STEP_BLOCKS + 1), head));
      return cache;
    }
    if (head < tip.number) return forget(layer, head);
    let last = tip.number;
    do {
      // The newest known block is read again: another one of its height may have taken its place.
      const blocks = await readBlocks(layer, last, Math.min(head, last + STEP_BLOCKS));
      if (blocks[0]?.hash !== cache.blocks.at(-1)?.hash) return forget(layer, head);
      add(cache, blocks.slice(1));
      last += STEP_BLOCKS;
    } while (last < head);
    return cache;
  }

  function forget(layer: Layer, head: number): Promise<Cache> {
    layers.delete(layer.url);
    return follow(layer, head);
  }

  /** Reads one step of older blocks. */
  async function goBack(layer: Layer, cache: Cache, head: number): Promise<void> {
    const oldest = cache.blocks[0]?.number ?? 0;
    const limit = Math.max(0, head - SEARCHED_BLOCKS + 1);
    if (oldest > limit && cache.count < MAX_KEPT_TRANSACTIONS) {
      const blocks = await readBlocks(layer, Math.max(limit, oldest - STEP_BLOCKS), oldest - 1);
      cache.blocks.unshift(...blocks);
      cache.count += blocks.reduce((sum, { entries }) => sum + entries.length, 0);
    } else cache.isComplete = true;
  }

  function read<T>(layer: Layer, answer: (cache: Cache) => T): Promise<T> {
    // Two pages do not read the same blocks twice.
    const turn = before.then(async () => {
      const head = Number(await ask<string>(layer, 'eth_blockNumber'));
      const cache = await follow(layer, head);
      const end = performance.now() + turnMs;
      while (!cache.isComplete && performance.now() < end) await goBack(layer, cache, head);
      return answer(cache);
    });
    before = turn.catch(() => undefined);
    return turn;
  }

  return {
    of: (layer, address) => read(layer, (cache) => answerOf(cache, address.toLowerCase())),
    receivers: (layer) => read(layer, ({ blocks }) => receiversOf(blocks.toReversed())),
  };
}

function add(cache: Cache, blocks: Cache['blocks']): void {
  cache.blocks.push(...blocks);
  cache.count += blocks.reduce((sum, { entries }) => sum + entries.length, 0);
  while (cache.blocks.length > SEARCHED_BLOCKS || (cache.count > MAX_KEPT_TRANSACTIONS && cache.blocks.length > 1))
    cache.count -= cache.blocks.shift()?.entries.length ?? 0;
}

function answerOf({ blocks, isComplete }: Cache, address: string): IndexAnswer {
  const transactions = blocks
    .flatMap(({ entries }) => entries.filter(({ from, to }) => from === address || to === address))
    .reverse();
  return { from: blocks[0]?.number ?? 0, isComplete, transactions };
}

function receiversOf(blocks: readonly KnownBlock[]): readonly string[] {
  const called = blocks.flatMap(({ entries }) => entries.flatMap(({ to }) => to ?? []));
  return [...new Set([...blocks.flatMap(({ created }) => created), ...called])];
}

/** Reads whole blocks, the oldest first. */
async function readBlocks(layer: Layer, first: number, last: number): Promise<KnownBlock[]> {
  return (await blocksAt(layer, numbersOf(first, last), true)).map(blockOf);
}

function blockOf({ number, hash, transactions }: JsonObject): KnownBlock {
  const block = Number(number);
  const list = Array.isArray(transactions) ? jsonObjects(transactions, 'transactions') : [];
  return {
    ...{ number: block, hash: String(hash) },
    entries: list.map(({ hash: id, from, to, value }) => ({
      ...{ hash: String(id), block, from: String(from).toLowerCase(), value: String(value) },
      to: typeof to === 'string' ? to.toLowerCase() : null,
    })),
    created: list.flatMap(({ from, to, nonce }) => {
      const sender = String(from);
      if (typeof to === 'string' || !isAddress(sender, { strict: false }) || nonce === undefined) return [];
      return [getContractAddress({ from: sender, nonce: BigInt(String(nonce)) }).toLowerCase()];
    }),
  };
}
