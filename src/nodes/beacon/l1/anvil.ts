import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { encodeTransaction } from '../../rpc-types/transaction.ts';
import type { JournalBlock, JournalTransaction, StateChange } from '../chain/block.ts';
import { setNextBaseFee } from './base-fee.ts';
import { restoreBlockHashes } from './block-hashes.ts';
import { checkPool } from './pool-check.ts';
import { orderPool } from './pool-order.ts';
import { replaying } from './replay.ts';
import { isUnsigned, sentFields } from '../send-again.ts';

/** The calls to anvil. It may answer the calls of one batch in any order, so dependent calls go one by one. */
export interface Anvil {
  chainId(): Promise<number>;
  /** Id of the running process. A rollback keeps it, a restart does not. */
  instance(): Promise<string>;
  head(): Promise<number>;
  headHash(): Promise<Hex | undefined>;
  /** Hash of a block; undefined where the chain is shorter. */
  hash(number: number): Promise<Hex | undefined>;
  /** null where the chain is shorter. */
  block(number: number): Promise<FetchedBlock | null>;
  /** Makes a journalled change again. @throws RpcError where L1 rejects it */
  change(change: StateChange): Promise<void>;
  /**
   * Gives L1 the hashes of the last blocks, which contracts read. Without effect on an L1 that has them.
   * Returns whether a block was made for it and rolled back.
   */
  restoreBlockHashes(): Promise<boolean>;
  /** Sets the base fee of the next block to that of a child of a block. */
  setNextBaseFee(number: number): Promise<void>;
  /** Sends the pool's transactions again, and returns those that no longer fit. */
  checkPool(): Promise<readonly Refusal[]>;
  /** Orders the pool by sender and nonce. */
  orderPool(): Promise<void>;
  /** Mines a block of the pooled transactions. @throws RpcError where the time is not after the head's */
  mine(timestamp: number): Promise<FetchedBlock>;
  /**
   * Mines a journalled block again on `parent`, as similar as anvil can, and returns the transactions that anvil
   * rejected. Foreign transactions sent meanwhile stay out of the block until `restorePool`. @throws MovedError where
   * the head was another one
   */
  replay(
    block: JournalBlock,
    parent: Hex,
    raw: (transaction: JournalTransaction) => Hex | undefined,
  ): Promise<ReplayedBlock>;
  /** Rolls the newest block back. `restorePool` sends its transactions to the pool again. */
  takeBack(made: FetchedBlock): Promise<void>;
  /** Sends the foreign transactions of the replay to the pool again. Those that no longer fit are rejected. */
  restorePool(): Promise<void>;
}

/** A block with the network forms of its transactions. */
export interface FetchedBlock {
  readonly block: JournalBlock;
  /** Network forms of the type 3 transactions by hash. */
  readonly blobTransactions: ReadonlyMap<Hex, Uint8Array>;
}

/** A block that was mined again, with the transactions that anvil rejected. */
export interface ReplayedBlock extends FetchedBlock {
  readonly refused: readonly Refusal[];
}

/** A transaction that anvil rejected. */
export interface Refusal {
  readonly hash: Hex;
  readonly reason: string;
}

interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas: Hex;
  readonly gasLimit: Hex;
  readonly miner: Hex;
  readonly transactions: readonly RpcTransaction[];
}

/** A transaction as JSON-RPC shows it. */
export interface RpcTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly from: Hex;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly blobVersionedHashes?: readonly Hex[];
  readonly [field: string]: unknown;
}

/** Creates the calls to anvil over its RPC. */
export function anvil(rpc: RpcClient): Anvil {
  let last: { gasLimit: Hex; miner: Hex } | undefined;

  /** Returns network forms by hash. anvil recovers the sender for each that it is asked for, so few are. */
  async function rawTransactions(transactions: readonly RpcTransaction[]): Promise<ReadonlyMap<Hex, Hex>> {
    const raws = new Map<Hex, Hex>();
    for (const transaction of transactions) {
      const raw = encoded(transaction);
      if (raw !== undefined) raws.set(transaction.hash, bytesToHex(raw));
    }
    const others = transactions.filter(({ hash }) => !raws.has(hash));
    const outcomes = await rpc.batch<Hex>(
      others.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    );
    for (const [at, { hash }] of others.entries()) {
      const outcome = outcomes[at];
      if (!outcome?.ok) throw outcome?.error ?? new Error('anvil answered fewer results than requests');
      raws.set(hash, outcome.result);
    }
    return raws;
  }

  async function fetched(block: RpcBlock): Promise<FetchedBlock> {
    const raws = await rawTransactions(block.transactions);
    const blobTransactions = new Map<Hex, Uint8Array>();
    const transactions = block.transactions.map((transaction): JournalTransaction => {
      const { hash, from } = transaction;
      const raw = present(raws.get(hash), `transaction ${hash}`);
      if (Number(transaction.type) === 3) {
        blobTransactions.set(hash, hexToBytes(raw));
        return { hash, from, blobs: transaction.blobVersionedHashes ?? [] };
      }
      return isUnsigned(transaction) ? { hash, from, raw, impersonated: sentFields(transaction) } : { hash, from, raw };
    });
    const { hash, parentHash, baseFeePerGas, gasLimit, miner } = block;
    last = { gasLimit, miner };
    return {
      block: {
        number: Number(block.number),
        hash,
        parentHash,
        timestamp: Number(block.timestamp),
        baseFeePerGas,
        gasLimit,
        miner,
        transactions,
      },
      blobTransactions,
    };
  }

  async function hashAt(block: string): Promise<Hex | undefined> {
    return (await rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', [block, false]))?.hash;
  }

  async function mine(timestamp: number): Promise<FetchedBlock> {
    const [block] = await rpc.call<RpcBlock[]>('evm_mine_detailed', [{ timestamp: quantity(timestamp) }]);
    if (block === undefined) throw new Error('anvil mined no block');
    return fetched(block);
  }

  return {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    instance: async () => (await rpc.call<{ instanceId: string }>('anvil_metadata')).instanceId,
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    headHash: () => hashAt('latest'),
    hash: (number) => hashAt(quantity(number)),
    async block(number) {
      const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
      return block && fetched(block);
    },
    async change({ method, params }) {
      await rpc.call(method, params);
    },
    restoreBlockHashes: () => restoreBlockHashes(rpc),
    setNextBaseFee: (number) => setNextBaseFee(rpc, number),
    checkPool: () => checkPool(rpc),
    orderPool: () => orderPool(rpc),
    mine,
    ...replaying(rpc, mine, () => last),
  };
}

/**
 * Encodes a transaction in its network form. Undefined: its hash is of something else (a transaction of an impersonated
 * account), or the form has a sidecar.
 */
function encoded(transaction: RpcTransaction): Uint8Array | undefined {
  if (Number(transaction.type) === 3) return undefined;
  try {
    const raw = encodeTransaction(transaction);
    return keccak256(raw) === transaction.hash ? raw : undefined;
  } catch {
    return undefined;
  }
}
