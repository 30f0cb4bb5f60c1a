import type { Hex } from '../../../protocol/types.ts';
import type { L1Answer, L1Request } from '../../../system/channel/l1-requests.ts';
import type { JournalBlock, JournalTransaction, StateChange } from '../chain/block.ts';
import type { ChainBlock } from '../chain/chain.ts';
import type { L1PoolFaults } from './pool/l1-pool-faults.ts';
import type { Refusal } from './pool/transaction.ts';

/** The chain of L1, as the beacon node reads and drives it. Calls that depend on each other go one by one. */
export interface L1Chain {
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
   * Mines a journalled block again on `parent`, as similar as L1 can, and returns the transactions that it
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
  readonly faults: L1PoolFaults;
  /** Replaces the newest blocks by others in the same slots. No block is made meanwhile. @throws RpcError */
  replaceBlocks(place: ReorgPlace, request: ReorgRequest): Promise<L1Answer>;
  /** Takes a checkpoint of L1 at its head, and returns the function that restores it, any number of times. */
  checkpoint(head: ChainBlock): Promise<() => Promise<void>>;
  readonly stateFile: L1StateFile;
  /** Ends the connections. */
  close(): void;
}

/** What of L1 its next process needs, on disk. */
export interface L1StateFile {
  /** Writes the state of L1, whose head is `block`. @throws RpcError, Failure `write` */
  keep(block: ChainBlock): Promise<void>;
  /** Writes the transactions that wait at L1's head `block`, without the state. @throws RpcError, Failure `write` */
  keepPool(block: ChainBlock): Promise<void>;
  /** Sends the transactions that waited at a block again, if the state that was kept is of that block. */
  sendPool(block: ChainBlock): Promise<void>;
  /** Removes the state if it is of a block above `number`. Called before these blocks leave the journal. */
  dropAbove(number: number): void;
}

/** A request to reorganise L1. */
export type ReorgRequest = Extract<L1Request, { do: 'reorg' }>;

/** Where a reorganisation begins. */
export interface ReorgPlace {
  /** L1's head. */
  readonly head: ChainBlock;
  /** Order of the transactions of a block. */
  readonly order: 'arrival' | 'sender';
}

/** A block that was mined again, with the transactions that L1 rejected. */
export interface ReplayedBlock extends FetchedBlock {
  readonly refused: readonly Refusal[];
}

/** A block with the network forms of its transactions. */
export interface FetchedBlock {
  readonly block: JournalBlock;
  /** Network forms of the type 3 transactions by hash. */
  readonly blobTransactions: ReadonlyMap<Hex, Uint8Array>;
}
