import type { Hex } from '../../../protocol/types.ts';
import type { JournalBlock, JournalTransaction, StateChange } from '../chain/block.ts';
import type { Refusal } from './pool/transaction.ts';

/** The calls to anvil. It may answer the calls of one batch in any order, so dependent calls go one by one. */
export interface Anvil {
  chainId(): Promise<number>;
  /** Id of the running process. A rollback keeps it, a restart does not. */
  instance(): Promise<string>;
  head(): Promise<number>;
  headHash(): Promise<Hex | undefined>;
  /** Hash of a block; undefined if the chain is shorter. */
  hash(number: number): Promise<Hex | undefined>;
  /** null if the chain is shorter. */
  block(number: number): Promise<FetchedBlock | null>;
  /** Makes a journalled change again. @throws RpcError if L1 rejects it */
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
  /** Mines a block of the pooled transactions. @throws RpcError if the time is not after the head's */
  mine(timestamp: number): Promise<FetchedBlock>;
  /**
   * Mines a journalled block again on `parent`, as similar as anvil can, and returns the transactions that anvil
   * rejected. Foreign transactions sent meanwhile stay out of the block until `restorePool`. @throws MovedError if
   * the head was another one
   */
  replay(
    block: JournalBlock,
    parent: Hex,
    raw: (transaction: JournalTransaction) => Hex | undefined,
  ): Promise<ReplayedBlock>;
  /** Rolls the newest block back. `restorePool` sends its transactions to the pool again. */
  takeBack(newest: FetchedBlock): Promise<void>;
  /** Sends the foreign transactions of the replay to the pool again. Those that no longer fit are rejected. */
  restorePool(): Promise<void>;
}

/** A block that was mined again, with the transactions that anvil rejected. */
export interface ReplayedBlock extends FetchedBlock {
  readonly refused: readonly Refusal[];
}

/** A block with the network forms of its transactions. */
export interface FetchedBlock {
  readonly block: JournalBlock;
  /** Network forms of the type 3 transactions by hash. */
  readonly blobTransactions: ReadonlyMap<Hex, Uint8Array>;
}
