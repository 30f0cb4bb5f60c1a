import { type BlockHeader, decodeHeader } from '../../../protocol/codec/header.ts';
import { type ForkSchedule, forcedCodeAt } from '../../../protocol/forks/index.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Seconds, Withdrawal } from '../../../protocol/types.ts';
import type { ExecutedBlock, ParentContext } from '../block/executor.ts';
import { type BlockReceipts, decodeStored, encodeStored } from '../block/receipt.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import { StateReader } from '../state/reader.ts';
import type { CanonicalBlock, ChainStore } from '../store/chain-store.ts';
import { LruMap } from '../store/lru-map.ts';
import { decodeTransaction, isDeposit, type SignedTransaction } from '../transaction/transaction.ts';
import { decodeBody, encodeBody } from './body.ts';
import { type ChainDefinition, chainRulesAt } from './genesis.ts';

/** A block with its parts decoded as far as they were asked for. */
export interface Block {
  readonly hash: Hex;
  readonly header: BlockHeader;
  /** EIP-2718 encodings. */
  readonly transactions: readonly Uint8Array[];
  /** Of Ethereum itself; a rollup has none. */
  readonly withdrawals: readonly Withdrawal[];
  readonly receipts: BlockReceipts;
}

/** Blocks in an order, each read where it is asked for: a reorganisation of any depth costs no more memory than its hashes. */
export class BlockPath implements Iterable<Block> {
  readonly hashes: readonly Hex[];
  readonly #read: (hash: Hex) => Block;

  constructor(hashes: readonly Hex[], read: (hash: Hex) => Block) {
    this.hashes = hashes;
    this.#read = read;
  }

  get length(): number {
    return this.hashes.length;
  }

  *[Symbol.iterator](): Iterator<Block> {
    for (const hash of this.hashes) yield this.#read(hash);
  }
}

/** The head moved: what left the canonical chain (newest first) and what joined it (oldest first). */
export interface HeadChange {
  readonly removed: BlockPath;
  readonly added: BlockPath;
}

/** Block labels that fork choice moves. */
export type Label = 'head' | 'safe' | 'finalized';

/** Bytes that the blocks in memory may take, as {@link weightOf} counts them, and how many there may be, as headers beside them: with small blocks memory is full early, not after a day. */
const BLOCK_CACHE = 48 * 1024 * 1024;
const MOST_BLOCKS = 1024;

/** Blocks that were asked for lately, by their hashes. Its entries never change: readers of one store may have them in common. */
export class BlockCache {
  readonly blocks: LruMap<Block>;
  readonly headers = new LruMap<BlockHeader>(MOST_BLOCKS);

  constructor(bytes = BLOCK_CACHE) {
    this.blocks = new LruMap<Block>(bytes, weightOf, MOST_BLOCKS);
  }
}

/** Which states a chain answers from, where not from all: every one is on disk, but a client that prunes has lost the older ones. */
export interface StateRetention {
  /** Blocks up to the head whose states are kept; the genesis state always is. */
  readonly blocks: number;
  /** What is thrown where a query wants another. */
  readonly missing: (stateRoot: Hex) => Error;
}

/** The chain of blocks that this node knows, and which of them are canonical. */
export class Chain {
  readonly definition: ChainDefinition;
  readonly schedule: ForkSchedule;
  readonly store: ChainStore;
  readonly genesisHash: Hex;
  readonly stateRetention: StateRetention | undefined;
  readonly #blocks;
  readonly #headers;
  readonly #labels = new Map<Label, Hex>();
  readonly #listeners = new Set<(change: HeadChange) => void>();
  /** Blocks that the last `prepare` has indexed, until a head is chosen. */
  readonly #indexed = new Set<Hex>();

  /** `schedule`: the definition's with this node's overrides. `keptStates`: default, all. */
  constructor(
    store: ChainStore,
    definition: ChainDefinition,
    schedule: ForkSchedule,
    stateRetention?: StateRetention,
    { blocks, headers } = new BlockCache(),
  ) {
    this.store = store;
    this.stateRetention = stateRetention;
    this.#blocks = blocks;
    this.#headers = headers;
    this.definition = definition;
    this.schedule = schedule;
    this.genesisHash = store.canonicalHash(0)!;
    for (const label of ['head', 'safe', 'finalized'] as const) {
      const hash = store.fact(label);
      if (hash !== undefined) this.#labels.set(label, hash);
    }
  }

  get chainId(): number {
    return this.definition.chainId;
  }

  get head(): { readonly hash: Hex; readonly header: BlockHeader } {
    const hash = this.#labels.get('head') ?? this.genesisHash;
    return { hash, header: this.header(hash)! };
  }

  /** Hash of a labelled block; undefined while fork choice has named none. */
  labelled(label: Label): Hex | undefined {
    return this.#labels.get(label);
  }

  /** Calls back after each change of the head. Returns the unsubscription. */
  onHead(listener: (change: HeadChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  rulesAt(time: Seconds): Rules {
    return chainRulesAt(this.definition, this.schedule, time);
  }

  header(hash: Hex): BlockHeader | undefined {
    const cached = this.#headers.get(hash) ?? this.#blocks.get(hash)?.header;
    if (cached !== undefined) return cached;
    const encoded = this.store.header(hash);
    if (encoded === undefined) return undefined;
    const header = decodeHeader(encoded);
    this.#headers.set(hash, header);
    return header;
  }

  block(hash: Hex): Block | undefined {
    const cached = this.#blocks.get(hash);
    if (cached !== undefined) return cached;
    const stored = this.store.block(hash);
    if (stored === undefined) return undefined;
    const block: Block = {
      hash,
      header: decodeHeader(stored.header),
      ...decodeBody(stored.body),
      receipts: decodeStored(stored.receipts),
    };
    this.#blocks.set(hash, block);
    return block;
  }

  canonicalHash(number: number): Hex | undefined {
    return this.store.canonicalHash(number);
  }

  isCanonical(hash: Hex): boolean {
    const header = this.header(hash);
    return header !== undefined && this.store.canonicalHash(header.number) === hash;
  }

  /** Whether the state after a block is kept. */
  hasState({ number }: BlockHeader): boolean {
    return (
      this.stateRetention === undefined || number === 0 || number > this.head.header.number - this.stateRetention.blocks
    );
  }

  /** State after a block. @throws what {@link KeptStates} says, where it is not kept */
  stateOf(header: BlockHeader): StateReader {
    if (!this.hasState(header)) throw this.stateRetention!.missing(header.stateRoot);
    return this.#stateAfter(header);
  }

  #stateAfter(header: BlockHeader): StateReader {
    return new StateReader(this.store.state, hexToBytes(header.stateRoot));
  }

  /** wei per gas of a block at `time` on a parent (specification: EIP-1559 parameters). */
  baseFeeAfter(parent: BlockHeader, time: bigint): bigint {
    const constants = this.rulesAt(time).eip1559.constants(this.definition.optimism);
    return this.rulesAt(parent.timestamp).baseFee.next(
      {
        gasLimit: parent.gasLimit,
        gasUsed: parent.gasUsed,
        blobGasUsed: parent.blobGasUsed ?? 0n,
        baseFeePerGas: parent.baseFeePerGas,
        extraData: parent.extraData,
      },
      constants,
    );
  }

  /** What a block at `time` on a parent is executed on. */
  parentContextOf(parentHash: Hex, parent: BlockHeader, time: bigint): ParentContext {
    const depositContract = this.definition.ethereum?.depositContract;
    return {
      chainId: this.chainId,
      rules: this.rulesAt(time),
      parentState: this.#stateAfter(parent),
      forcedCode: forcedCodeAt(this.schedule, time),
      ...(depositContract === undefined ? {} : { depositContract }),
      blockHash: (number) => this.#ancestorHash(parentHash, parent, number),
    };
  }

  /** Stores an executed block with its state, other work between the steps. Nobody finds anything of it before all is stored. */
  async insert(executed: ExecutedBlock): Promise<void> {
    const budget = new ExecutionBudget(Number.POSITIVE_INFINITY);
    const { hash, header, transactions, withdrawals, receipts, feeFields } = executed;
    const block: Block = { hash, header, transactions, withdrawals, receipts: { receipts, feeFields } };
    const stored = {
      hash,
      number: header.number,
      header: executed.encodedHeader,
      body: encodeBody(block),
      receipts: await budget.complete(encodeStored(block.receipts)),
    };
    await budget.complete(this.store.insertWithState(stored, executed.diff));
    this.#blocks.set(hash, block);
  }

  /**
   * Writes ahead, other work between the steps, what {@link choose} would write of blocks that a head adds. Nothing of it counts before they are
   * canonical. Where blocks leave the chain for the head it writes nothing: their transactions may be in the new ones.
   */
  async prepare(head: Hex): Promise<void> {
    const { removed, added } = this.#pathTo(head);
    this.#indexed.clear();
    if (removed.length > 0) return;
    const budget = new ExecutionBudget(Number.POSITIVE_INFINITY);
    for (const block of added) {
      await budget.complete(this.store.indexing(toCanonical(block)));
      this.#indexed.add(block.hash);
    }
  }

  /**
   * Moves head and labels, in one transaction; then tells the listeners. All hashes must be known. A label that the new head leaves behind and
   * that is not named goes back to where the chains part.
   */
  makeCanonical(head: Hex, labels: { readonly safe?: Hex; readonly finalized?: Hex } = {}): HeadChange {
    const { removed, added, fork } = this.#pathTo(head);
    const change: HeadChange = { removed, added };
    const named: [Label, Hex][] = [['head', head]];
    for (const label of ['safe', 'finalized'] as const) {
      const at = labels[label] ?? this.#keptLabel(label, fork);
      if (at !== undefined) named.push([label, at]);
    }
    const moved = named.filter(([label, hash]) => this.#labels.get(label) !== hash);
    if (moved.length === 0) return change;
    this.store.transaction(() => {
      for (const block of removed) this.store.dropCanonical([toCanonical(block)]);
      for (const block of added)
        this.store.addCanonical([toCanonical(block)], removed.length > 0 ? undefined : this.#indexed);
      for (const [label, hash] of moved) this.store.setFact(label, hash);
    });
    this.#indexed.clear();
    for (const [label, hash] of moved) this.#labels.set(label, hash);
    if (added.length + removed.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  #keptLabel(label: Label, fork: Hex): Hex | undefined {
    const hash = this.#labels.get(label);
    return hash !== undefined && this.header(hash)!.number > this.header(fork)!.number ? fork : hash;
  }

  #pathTo(head: Hex): HeadChange & { readonly fork: Hex } {
    const added: Hex[] = [];
    let fork = head;
    for (; !this.isCanonical(fork); fork = this.header(fork)!.parentHash) added.push(fork);
    const removed: Hex[] = [];
    for (let { hash } = this.head; hash !== fork; hash = this.header(hash)!.parentHash) removed.push(hash);
    const read = (hash: Hex) => this.block(hash)!;
    return { removed: new BlockPath(removed, read), added: new BlockPath(added.reverse(), read), fork };
  }

  #ancestorHash(parentHash: Hex, parent: BlockHeader, number: number): Uint8Array | undefined {
    let hash = parentHash;
    let header = parent;
    while (header.number > number) {
      if (this.store.canonicalHash(header.number) === hash) {
        const canonical = this.store.canonicalHash(number);
        return canonical === undefined ? undefined : hexToBytes(canonical);
      }
      hash = header.parentHash;
      const next = this.header(hash);
      if (next === undefined) return undefined;
      header = next;
    }
    return hexToBytes(hash);
  }
}

/** Signed transactions of a block, senders recovered. */
export function signedTransactions(block: Block): SignedTransaction[] {
  return block.transactions.filter((raw) => !isDeposit(raw)).map(decodeTransaction);
}

/** About what a decoded block takes: its transactions as they are, receipts and logs as objects. */
function weightOf({ transactions, receipts }: Block): number {
  let weight = 4096;
  for (const { length } of transactions) weight += length;
  for (const { logs } of receipts.receipts) {
    weight += 1024;
    for (const { data, topics } of logs) weight += 256 + data.length + 80 * topics.length;
  }
  return weight;
}

function toCanonical({ hash, header, receipts }: Block): CanonicalBlock {
  const values = new Set<Hex>();
  for (const receipt of receipts.receipts)
    for (const log of receipt.logs) {
      values.add(log.address);
      for (const topic of log.topics) values.add(topic);
    }
  return {
    hash,
    number: header.number,
    transactions: receipts.receipts.map(({ transactionHash }) => transactionHash),
    logValues: [...values],
  };
}
