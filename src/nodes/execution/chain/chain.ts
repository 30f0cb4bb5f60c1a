import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { type ForkSchedule, forcedCodeAt } from '../../../protocol/forks/index.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Seconds } from '../../../protocol/types.ts';
import type { ParentContext } from '../block/executor.ts';
import { encodeStored } from '../block/receipt.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import { StateReader } from '../state/reader.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { ancestorHash } from './ancestor-hash.ts';
import { baseFeeAfter } from './base-fee.ts';
import { type Block, BlockPath, toCanonical } from './block.ts';
import { BlockReader } from './block-reader.ts';
import { encodeBody } from './body.ts';
import { type ChainDefinition, chainRulesAt } from './genesis.ts';

/** A change of the head: blocks that left the canonical chain (newest first) and that joined it (oldest first). */
export interface HeadChange {
  readonly removed: BlockPath;
  readonly added: BlockPath;
}

/** The state of a chain at one time. */
export interface ChainCheckpoint {
  readonly labels: ReadonlyMap<Label, Hex>;
  /** The blocks stored by then. */
  readonly mark: number;
}

const LABELS = ['head', 'safe', 'finalized'] as const;

/** Block labels that the forkchoice moves. */
export type Label = (typeof LABELS)[number];

/** The states that a pruning client still answers from. All states stay on disk. */
export interface StateRetention {
  /** Number of newest blocks whose states are kept. The genesis state is always kept. */
  readonly blocks: number;
  /** Returns the error for a query of a pruned state. */
  readonly missing: (stateRoot: Hex) => Error;
}

/**
 * The blocks that this node stores, and which of them are canonical (geth: `BlockChain`, reth: `BlockchainProvider`).
 */
export class Chain {
  readonly definition: ChainDefinition;
  readonly schedule: ForkSchedule;
  readonly store: ChainStore;
  readonly genesisHash: Hex;
  readonly stateRetention: StateRetention | undefined;
  readonly #blocks: BlockReader;
  readonly #labels = new Map<Label, Hex>();
  readonly #listeners = new Set<(change: HeadChange) => void>();
  /** Blocks above the head that the last `prepare` has indexed, until the head changes. A reorganisation adds none. */
  readonly #indexed = new Set<Hex>();

  /** `schedule` is the definition's with this node's overrides. Without `stateRetention` all states are kept. */
  constructor(store: ChainStore, definition: ChainDefinition, schedule: ForkSchedule, stateRetention?: StateRetention) {
    this.store = store;
    this.#blocks = new BlockReader(store);
    this.stateRetention = stateRetention;
    this.definition = definition;
    this.schedule = schedule;
    this.genesisHash = present(store.canonicalHash(0), 'genesis block');
    for (const label of LABELS) {
      const hash = store.fact(label);
      if (hash !== undefined) this.#labels.set(label, hash);
    }
  }

  get chainId(): number {
    return this.definition.chainId;
  }

  get head(): { readonly hash: Hex; readonly header: BlockHeader } {
    const hash = this.#labels.get('head') ?? this.genesisHash;
    return { hash, header: this.knownHeader(hash) };
  }

  /** Returns the hash of a labelled block, or undefined before a forkchoice names one. */
  labelled(label: Label): Hex | undefined {
    return this.#labels.get(label);
  }

  /** Calls the listener after each change of the head. Returns the unsubscription. */
  onHead(listener: (change: HeadChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  rulesAt(time: Seconds): Rules {
    return chainRulesAt(this.definition, this.schedule, time);
  }

  header(hash: Hex): BlockHeader | undefined {
    return this.#blocks.header(hash);
  }

  block(hash: Hex): Block | undefined {
    return this.#blocks.block(hash);
  }

  /** Returns the header of a stored block. @throws Error if the block is unknown */
  knownHeader(hash: Hex): BlockHeader {
    return present(this.header(hash), `block ${hash}`);
  }

  /** Returns a stored block. @throws Error if it is unknown */
  knownBlock(hash: Hex): Block {
    return present(this.block(hash), `block ${hash}`);
  }

  /** Returns the canonical block of a number up to the head. @throws Error above the head */
  canonicalBlock(number: number): Block {
    return this.knownBlock(present(this.canonicalHash(number), `canonical block ${number}`));
  }

  /** Returns the canonical header of a number up to the head. @throws Error above the head */
  canonicalHeader(number: number): BlockHeader {
    return this.knownHeader(present(this.canonicalHash(number), `canonical block ${number}`));
  }

  canonicalHash(number: number): Hex | undefined {
    return this.store.canonicalHash(number);
  }

  isCanonical(hash: Hex): boolean {
    const header = this.header(hash);
    return header !== undefined && this.store.canonicalHash(header.number) === hash;
  }

  /** Returns whether the state after a block is kept. */
  hasState({ number }: BlockHeader): boolean {
    return (
      this.stateRetention === undefined || number === 0 || number > this.head.header.number - this.stateRetention.blocks
    );
  }

  /** Returns the state after a block. @throws the error of {@link StateRetention} if it is pruned */
  stateOf(header: BlockHeader): StateReader {
    if (this.stateRetention !== undefined && !this.hasState(header))
      throw this.stateRetention.missing(header.stateRoot);
    return this.#stateAfter(header);
  }

  #stateAfter(header: BlockHeader): StateReader {
    return new StateReader(this.store.state, hexToBytes(header.stateRoot));
  }

  /**
   * Returns the base fee in wei of a block at `time` on a parent (specification: EIP-1559 parameters).
   * geth: `CalcBaseFee`.
   */
  baseFeeAfter(parent: BlockHeader, time: bigint): bigint {
    return baseFeeAfter(this.definition, (at) => this.rulesAt(at), parent, time);
  }

  /** Returns the parent's data that a block at `time` needs. */
  parentContextOf(parentHash: Hex, parent: BlockHeader, time: bigint): ParentContext {
    const depositContract = this.definition.ethereum?.depositContract;
    return {
      chainId: this.chainId,
      rules: this.rulesAt(time),
      parentState: this.#stateAfter(parent),
      forcedCode: forcedCodeAt(this.schedule, time),
      ...(depositContract === undefined ? {} : { depositContract }),
      blockHash: (number) => ancestorHash(this, parentHash, parent, number),
    };
  }

  /**
   * Stores an executed block with its state, in steps between which the event loop runs.
   * Readers find the block after the last step.
   */
  async insert(executed: ExecutedBlock): Promise<void> {
    const budget = new ExecutionBudget();
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
    this.#blocks.add(block);
  }

  /**
   * Writes the indexes of blocks that a new head adds, in steps between which the event loop runs.
   * The later {@link makeCanonical} then has less to write. The indexes have no effect before the blocks are canonical.
   * In a reorganisation nothing is written ahead: both branches may hold the same transactions.
   */
  async prepare(head: Hex): Promise<void> {
    const { removed, added } = this.#pathTo(head);
    this.#indexed.clear();
    if (removed.length > 0) return;
    const budget = new ExecutionBudget();
    for (const block of added) {
      await budget.complete(this.store.indexing(toCanonical(block)));
      this.#indexed.add(block.hash);
    }
  }

  /**
   * Moves head and labels in one database transaction, then calls the listeners. geth: `SetCanonical`.
   * All hashes must be known. A label that is not named and that the new head leaves behind moves to the fork point.
   */
  makeCanonical(head: Hex, labels: { readonly safe?: Hex; readonly finalized?: Hex } = {}): HeadChange {
    const { removed, added, fork } = this.#pathTo(head);
    const change: HeadChange = { removed, added };
    const targets: [Label, Hex][] = [['head', head]];
    for (const label of ['safe', 'finalized'] as const) {
      const at = labels[label] ?? this.#keptLabel(label, fork);
      if (at !== undefined) targets.push([label, at]);
    }
    const moved = targets.filter(([label, hash]) => this.#labels.get(label) !== hash);
    if (moved.length === 0) return change;
    this.store.transaction(() => {
      for (const block of removed) this.store.dropCanonical([toCanonical(block)]);
      for (const block of added) this.store.addCanonical([toCanonical(block)], this.#indexed);
      for (const [label, hash] of moved) this.store.setFact(label, hash);
    });
    this.#indexed.clear();
    for (const [label, hash] of moved) this.#labels.set(label, hash);
    if (added.length + removed.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  /** Takes a checkpoint, for `restore`. */
  checkpoint(): ChainCheckpoint {
    return { labels: new Map(this.#labels), mark: this.store.mark() };
  }

  /**
   * Puts head and labels of an earlier checkpoint in place, and removes every block that was stored after it.
   * That is one database transaction. The listeners are not called, as for blocks that never existed.
   */
  restore({ labels, mark }: ChainCheckpoint): void {
    const { removed, added } = this.#pathTo(labels.get('head') ?? this.genesisHash);
    const forgotten = this.store.transaction(() => {
      for (const block of removed) this.store.dropCanonical([toCanonical(block)]);
      for (const block of added) this.store.addCanonical([toCanonical(block)]);
      for (const label of LABELS) {
        const hash = labels.get(label);
        if (hash === undefined) this.store.dropFact(label);
        else this.store.setFact(label, hash);
      }
      return this.store.removeSince(mark);
    });
    for (const hash of forgotten) this.#blocks.forget(hash);
    this.#indexed.clear();
    this.#labels.clear();
    for (const [label, hash] of labels) this.#labels.set(label, hash);
  }

  #keptLabel(label: Label, fork: Hex): Hex | undefined {
    const hash = this.#labels.get(label);
    return hash !== undefined && this.knownHeader(hash).number > this.knownHeader(fork).number ? fork : hash;
  }

  #pathTo(head: Hex): HeadChange & { readonly fork: Hex } {
    const added: Hex[] = [];
    let fork = head;
    for (; !this.isCanonical(fork); fork = this.knownHeader(fork).parentHash) added.push(fork);
    const removed: Hex[] = [];
    for (let { hash } = this.head; hash !== fork; hash = this.knownHeader(hash).parentHash) removed.push(hash);
    const read = (hash: Hex) => this.knownBlock(hash);
    return { removed: new BlockPath(removed, read), added: new BlockPath(added.reverse(), read), fork };
  }
}
