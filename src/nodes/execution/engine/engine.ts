import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import type { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/program/log.ts';
import { BlockInvalid } from '../block/errors.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import type { Chain } from '../chain/chain.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import type { TransactionOrder } from '../pool/best-transactions.ts';
import type { TransactionPool } from '../pool/pool.ts';
import { Backfill, type SyncProgress } from '../sync/backfill.ts';
import { SenderRecovery } from '../transaction/sender-recovery.ts';
import { checkAttributes } from './attributes.ts';
import type { BadBlocks } from './bad-blocks.ts';
import { BlockBuffer } from './block-buffer.ts';
import type { DaLimits } from './da-limits.ts';
import { engineError } from './errors.ts';
import { type ForkchoiceState, labelsOf } from './forkchoice.ts';
import { InvalidBlocks } from './invalid-blocks.ts';
import { blockOfPayload, type NewPayload } from './payload-block.ts';
import { payloadId } from './payload-id.ts';
import { PayloadJob } from './payload-job.ts';
import { PayloadJobs } from './payload-jobs.ts';
import { ACCEPTED, invalid, type PayloadStatus, SYNCING, valid } from './payload-status.ts';
import { validateBlock } from './validate.ts';

/** Built blocks that are kept with their state until they are imported. */
const MAX_BUILT_BLOCKS = 8;

/**
 * The engine behind the Engine API: builds, validates and chooses blocks, one request after another.
 * Counterparts: `ConsensusAPI` of geth (eth/catalyst/api.go), `EngineApiTreeHandler` of reth.
 */
export class Engine {
  readonly #chain: Chain;
  readonly #pool: TransactionPool;
  readonly #log: Logger;
  readonly #backfill: Backfill;
  readonly #senders = new SenderRecovery();
  readonly #daLimits: DaLimits;
  readonly #order: TransactionOrder;
  readonly #jobs = new PayloadJobs();
  /** Blocks that this process built, by hash. They are not executed again. */
  readonly #built = new LRUCache<Hex, ExecutedBlock>({ max: MAX_BUILT_BLOCKS });
  readonly #invalidBlocks = new InvalidBlocks();
  /** Invalid blocks in full, for `debug_getBadBlocks`. */
  readonly badBlocks: BadBlocks;
  readonly #blockBuffer = new BlockBuffer();
  /** The last forkchoice, while blocks below its head are missing. */
  #unreachedForkchoice: ForkchoiceState | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Requests in the queue, including the running one. */
  #queuedRequests = 0;
  readonly #syncListeners = new Set<(progress: SyncProgress | undefined) => void>();

  /** `peers`: RPC clients of the execution clients that missing blocks are fetched from. */
  constructor(
    chain: Chain,
    pool: TransactionPool,
    log: Logger,
    peers: readonly RpcClient[],
    daLimits: DaLimits,
    badBlocks: BadBlocks,
    order: TransactionOrder,
  ) {
    this.#order = order;
    this.badBlocks = badBlocks;
    this.#daLimits = daLimits;
    this.#chain = chain;
    this.#pool = pool;
    this.#log = log;
    this.#backfill = new Backfill({
      peers,
      log,
      isKnown: (hash) => chain.header(hash) !== undefined,
      onFetched: (blocks) => {
        for (const { transactions } of blocks) void this.#senders.ahead(transactions);
      },
      take: async (block) => (await this.#enqueue(() => this.#import(block))).status !== 'INVALID',
      refuse: (target, bad) => void this.#invalidBlocks.statusOf(target, bad),
      onReached: () => this.#enqueue(() => this.#chooseUnreached()),
      onProgress: (progress) => {
        for (const listener of this.#syncListeners) listener(progress);
      },
    });
  }

  /** Progress of fetching missing blocks. undefined: none are missing. */
  get progress(): SyncProgress | undefined {
    return this.#backfill.progress;
  }

  /** Whether a block is built, validated or chosen now. */
  get isBusy(): boolean {
    return this.#queuedRequests > 0 || this.#jobs.isWorking;
  }

  /**
   * Calls the listener when fetching missing blocks begins, with the progress, and when it ends.
   * Returns the unsubscription.
   */
  onSync(listener: (progress: SyncProgress | undefined) => void): () => void {
    this.#syncListeners.add(listener);
    return () => this.#syncListeners.delete(listener);
  }

  /**
   * Moves the head. With attributes, it then starts a payload on it (`engine_forkchoiceUpdated`).
   * Counterparts: `forkchoiceUpdated` of geth, `on_forkchoice_updated` of reth.
   * Invalid attributes, or an error in their place, do not prevent the move. @throws RpcError -38002, -38003, -38005
   */
  forkchoiceUpdated(
    version: 1 | 2 | 3,
    state: ForkchoiceState,
    attributes: PayloadAttributes | RpcError | null,
  ): Promise<{ payloadStatus: PayloadStatus; payloadId: Hex | null }> {
    return this.#enqueue(async () => {
      const payloadStatus = await this.#makeCanonical(state);
      if (payloadStatus.status !== 'VALID' || attributes === null) return { payloadStatus, payloadId: null };
      if (attributes instanceof Error) throw attributes;
      return { payloadStatus, payloadId: await this.#build(version, state.headBlockHash, attributes) };
    });
  }

  /** Rewinds the chain to an ancestor of its head (geth: `SetHead`). */
  rewind(hash: Hex): Promise<void> {
    return this.#enqueue(async () => {
      this.#unreachedForkchoice = undefined;
      this.#backfill.stop();
      const { removed } = this.#chain.makeCanonical(hash);
      this.#log.warn('chain rewound', { head: hash, removed: removed.length });
    });
  }

  /** Restores an earlier state of the chain by `place`. Forgets every block that was read or built since. */
  restore(place: () => void): Promise<void> {
    return this.#enqueue(async () => {
      this.#unreachedForkchoice = undefined;
      this.#backfill.stop();
      await this.#jobs.clear();
      this.#built.clear();
      this.#invalidBlocks.clear();
      this.#blockBuffer.clear();
      place();
    });
  }

  /**
   * Validates and stores a block (`engine_newPayload`; geth: `newPayload`, reth: `on_new_payload`).
   * A block on a pruned state is buffered. Later requests wait until the payload is decoded, too.
   * @throws RpcError -32602 if it cannot be decoded
   */
  newPayload(payload: NewPayload): Promise<PayloadStatus> {
    return this.#enqueue(async () => {
      const block = await blockOfPayload(this.#chain, payload);
      if ('status' in block) return block;
      const { hash, transactions } = block;
      if (this.#built.get(hash) === undefined && this.#chain.header(hash) === undefined)
        void this.#senders.ahead(transactions);
      return this.#postponed(block) ?? this.#import(block);
    });
  }

  /** Returns the payload job of an id. @throws RpcError -38001 */
  job(id: Hex): PayloadJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw engineError('unknownPayload', `no payload ${id} is being built`);
    return job;
  }

  /** Ends a payload job and returns its block (`engine_getPayload`). */
  async getPayload(job: PayloadJob): Promise<ExecutedBlock> {
    const executed = await job.finish();
    const { hash, header, transactions } = executed;
    if (this.#chain.header(hash) === undefined) this.#built.set(hash, executed);
    this.#log.debug('built block', { number: header.number, hash, transactions: transactions.length, tips: job.tips });
    return executed;
  }

  /** Resolves when running work has ended. No new payload starts. */
  async close(): Promise<void> {
    await this.#backfill.close();
    await this.#jobs.close();
    await this.#queue;
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#queuedRequests++;
    const turn = this.#queue.then(work).finally(() => this.#queuedRequests--);
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #makeCanonical(state: ForkchoiceState): Promise<PayloadStatus> {
    const head = state.headBlockHash;
    if (head === ZERO_HASH) return invalid(null, 'the head must not be zero');
    const status = await this.#resolve(head);
    this.#unreachedForkchoice = status.status === 'SYNCING' ? state : undefined;
    if (status.status !== 'VALID') return status;
    this.#backfill.stop();
    const labels = labelsOf(this.#chain, state);
    await this.#chain.prepare(head);
    const { removed, added } = this.#chain.makeCanonical(head, labels);
    const { number } = this.#chain.knownHeader(head);
    const depth = { head, number, removed: removed.length, added: added.length };
    if (removed.length > 0) this.#log.warn('chain reorganised', depth);
    else if (added.length > 0) this.#log.info('chain head updated', depth);
    return status;
  }

  /** Imports the buffered blocks below a head, or requests missing ones. Returns the status of the head. */
  async #resolve(head: Hex): Promise<PayloadStatus> {
    if (this.#chain.header(head) !== undefined) return valid(head);
    const path = this.#blockBuffer.pathTo(head);
    const missing = path[0]?.header.parentHash ?? head;
    const verdict = this.#invalidBlocks.statusOf(head, missing);
    if (verdict !== undefined) return verdict;
    if (this.#chain.header(missing) === undefined) {
      this.#backfill.request(missing);
      return SYNCING;
    }
    let status = SYNCING;
    for (const block of path) {
      status = await this.#import(block);
      if (status.status !== 'VALID') return this.#invalidBlocks.statusOf(head, block.hash) ?? status;
    }
    return status;
  }

  async #chooseUnreached(): Promise<void> {
    const state = this.#unreachedForkchoice;
    if (state === undefined) return;
    const { status } = await this.#makeCanonical(state);
    this.#log.info('missing blocks fetched', { head: state.headBlockHash, status });
  }

  async #build(version: 1 | 2 | 3, head: Hex, attributes: PayloadAttributes): Promise<Hex> {
    const parent = this.#chain.knownHeader(head);
    checkAttributes(version, attributes, this.#chain.rulesAt(attributes.timestamp), parent.timestamp);
    const id = payloadId(version, head, attributes);
    if (this.#jobs.get(id) !== undefined) return id;
    const build = {
      chain: this.#chain,
      pool: this.#pool,
      parent: head,
      attributes,
      daLimits: this.#daLimits,
      order: this.#order,
    };
    this.#jobs.add(id, await PayloadJob.start(build));
    return id;
  }

  /** Returns ACCEPTED for a new block on a pruned state, else undefined (geth: `delayPayloadImport`). */
  #postponed(block: UnexecutedBlock): PayloadStatus | undefined {
    const { hash, header } = block;
    const parent = this.#chain.header(header.parentHash);
    if (parent === undefined || this.#chain.hasState(parent) || this.#chain.header(hash) !== undefined)
      return undefined;
    const verdict = this.#invalidStatus(block);
    if (verdict !== undefined) return verdict;
    // Execution reports an invalid timestamp.
    if (header.timestamp <= parent.timestamp) return undefined;
    this.#blockBuffer.add(block);
    this.#log.warn('block on a pruned state', { number: header.number, hash });
    return ACCEPTED;
  }

  /** Returns the status of an invalid block or of a child of one, else undefined. */
  #invalidStatus(block: UnexecutedBlock): PayloadStatus | undefined {
    const verdict = this.#invalidBlocks.statusOf(block.hash, block.header.parentHash);
    if (verdict !== undefined && this.badBlocks.retention.descendants) this.badBlocks.add(block);
    return verdict;
  }

  async #import(block: UnexecutedBlock): Promise<PayloadStatus> {
    const { hash, header, transactions } = block;
    if (this.#chain.header(hash) !== undefined) return valid(hash);
    const verdict = this.#invalidStatus(block);
    if (verdict !== undefined) return verdict;
    const built = this.#built.get(hash);
    if (built === undefined && this.#chain.header(header.parentHash) === undefined) {
      this.#blockBuffer.add(block);
      return SYNCING;
    }
    this.#blockBuffer.remove(hash);
    try {
      const executed = built ?? (await validateBlock(this.#chain, block));
      // Reading and storing a full payload take milliseconds each. The event loop runs between them.
      await nextTurn();
      await this.#chain.insert(executed);
      this.#built.delete(hash);
      this.#log.debug('imported block', { number: header.number, hash, transactions: transactions.length });
      return valid(hash);
    } catch (error) {
      if (!(error instanceof BlockInvalid)) throw error;
      this.#log.warn('refused block', { number: header.number, hash, field: error.field, reason: error.message });
      this.badBlocks.add(block);
      return this.#invalidBlocks.add(hash, header.parentHash, error.message);
    }
  }
}
