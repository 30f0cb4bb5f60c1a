import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client.ts';
import type { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/log.ts';
import { BlockInvalid } from '../block/errors.ts';
import type { ExecutedBlock } from '../block/executor.ts';
import type { Chain } from '../chain/chain.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { loadLazyEvm } from '../load-lazy-evm.ts';
import type { TransactionPool } from '../pool/pool.ts';
import { LruMap } from '../store/lru-map.ts';
import { Backfill, type SyncProgress } from '../sync/backfill.ts';
import { checkAttributes } from './attributes.ts';
import type { BadBlocks } from './bad-blocks.ts';
import { BlockBuffer } from './block-buffer.ts';
import type { DaLimits } from './da-limits.ts';
import { engineError } from './errors.ts';
import { type ForkchoiceState, labelsOf } from './forkchoice.ts';
import { InvalidBlocks } from './invalid-blocks.ts';
import { payloadId } from './payload-id.ts';
import type { PayloadJob } from './payload-job.ts';
import { PayloadJobs } from './payload-jobs.ts';
import { ACCEPTED, invalid, type PayloadStatus, SYNCING, valid } from './payload-status.ts';

/** Built blocks that are remembered with their states until they are imported. */
const REMEMBERED = 8;

/** Reads a block, whose hash is that of its header, or says why it is none. It takes its time, and what is asked meanwhile comes after it. */
export type ReadBlock = () => Promise<UnexecutedBlock | PayloadStatus>;

/** What the rollup node drives: blocks are built, checked and chosen here, one request after another. */
export class Engine {
  readonly #chain: Chain;
  readonly #pool: TransactionPool;
  readonly #log: Logger;
  readonly #backfill: Backfill;
  readonly #daLimits: DaLimits;
  readonly #jobs = new PayloadJobs();
  /** Blocks that this process built, by hash: they are not executed again. */
  readonly #built = new LruMap<ExecutedBlock>(REMEMBERED);
  readonly #refused = new InvalidBlocks();
  /** Those of them that can be looked at. */
  readonly badBlocks: BadBlocks;
  readonly #waiting = new BlockBuffer();
  /** The last forkchoice, while blocks below its head are missing. */
  #unreached: ForkchoiceState | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Work in the queue, that under way included. */
  #turns = 0;
  readonly #syncListeners = new Set<(progress: SyncProgress | undefined) => void>();

  /** `peers`: RPC of other execution clients, where blocks that are missing are fetched from. */
  constructor(
    chain: Chain,
    pool: TransactionPool,
    log: Logger,
    peers: readonly RpcClient[],
    daLimits: DaLimits,
    badBlocks: BadBlocks,
  ) {
    this.badBlocks = badBlocks;
    this.#daLimits = daLimits;
    this.#chain = chain;
    this.#pool = pool;
    this.#log = log;
    this.#backfill = new Backfill({
      peers,
      log,
      isKnown: (hash) => chain.header(hash) !== undefined,
      take: (block) => this.#inTurn(() => this.#import(block)),
      refuse: (target, bad) => void this.#refused.verdict(target, bad),
      reached: () => this.#inTurn(() => this.#chooseUnreached()),
      told: (progress) => {
        for (const listener of this.#syncListeners) listener(progress);
      },
    });
  }

  /** How far fetching missing blocks is; undefined where none are missing. */
  get progress(): SyncProgress | undefined {
    return this.#backfill.progress;
  }

  /** Whether blocks are built, checked or chosen at this moment. */
  get isBusy(): boolean {
    return this.#turns > 0 || this.#jobs.isWorking;
  }

  /** Calls back when fetching missing blocks begins, with how far it is, and when it ends. Returns the unsubscription. */
  onSync(listener: (progress: SyncProgress | undefined) => void): () => void {
    this.#syncListeners.add(listener);
    return () => this.#syncListeners.delete(listener);
  }

  /**
   * Moves the chain; then, with attributes, starts to build on its head. Attributes that are wrong, or an error instead of them, do not hold
   * the chain back. @throws RpcError -38002, -38003, -38005
   */
  forkchoiceUpdated(
    version: 1 | 2 | 3,
    state: ForkchoiceState,
    attributes: PayloadAttributes | RpcError | null,
  ): Promise<{ payloadStatus: PayloadStatus; payloadId: Hex | null }> {
    return this.#inTurn(async () => {
      const payloadStatus = await this.#makeCanonical(state);
      if (payloadStatus.status !== 'VALID' || attributes === null) return { payloadStatus, payloadId: null };
      if (attributes instanceof Error) throw attributes;
      return { payloadStatus, payloadId: await this.#build(version, state.headBlockHash, attributes) };
    });
  }

  /** Takes the chain back to an ancestor of its head. */
  rewind(hash: Hex): Promise<void> {
    return this.#inTurn(async () => {
      this.#unreached = undefined;
      this.#backfill.stop();
      const { removed } = this.#chain.makeCanonical(hash);
      this.#log.warn('chain taken back', { head: hash, removed: removed.length });
    });
  }

  /** Checks a block and stores it; upon a state that is not kept it waits. @throws what reading it throws */
  newPayload(read: ReadBlock): Promise<PayloadStatus> {
    return this.#inTurn(async () => {
      const block = await read();
      return 'status' in block ? block : (this.#postponed(block) ?? this.#import(block));
    });
  }

  /** A payload that was begun. @throws RpcError -38001 */
  job(id: Hex): PayloadJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw engineError('unknownPayload', `no payload ${id} is being built`);
    return job;
  }

  /** Ends a build job. */
  async seal(job: PayloadJob): Promise<ExecutedBlock> {
    const executed = await job.finish();
    const { hash, header, transactions } = executed;
    if (this.#chain.header(hash) === undefined) this.#built.set(hash, executed);
    this.#log.debug('built block', { number: header.number, hash, transactions: transactions.length, tips: job.tips });
    return executed;
  }

  /** Lets running work end; nothing new is built. */
  async close(): Promise<void> {
    await this.#backfill.close();
    await this.#jobs.close();
    await this.#queue;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#turns++;
    const turn = this.#queue.then(work).finally(() => this.#turns--);
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #makeCanonical(state: ForkchoiceState): Promise<PayloadStatus> {
    const head = state.headBlockHash;
    if (head === ZERO_HASH) return invalid(null, 'the head must not be zero');
    const status = await this.#resolve(head);
    this.#unreached = status.status === 'SYNCING' ? state : undefined;
    if (status.status !== 'VALID') return status;
    this.#backfill.stop();
    const labels = labelsOf(this.#chain, state);
    await this.#chain.prepare(head);
    const { removed, added } = this.#chain.makeCanonical(head, labels);
    const { number } = this.#chain.header(head)!;
    const depth = { head, number, removed: removed.length, added: added.length };
    if (removed.length > 0) this.#log.warn('chain reorganised', depth);
    else if (added.length > 0) this.#log.info('chain head updated', depth);
    return status;
  }

  /** Whether a head can be chosen, with the blocks that wait below it; where blocks are missing, they are sent for. */
  async #resolve(head: Hex): Promise<PayloadStatus> {
    if (this.#chain.header(head) !== undefined) return valid(head);
    const path = this.#waiting.pathTo(head);
    const missing = path[0]?.header.parentHash ?? head;
    const refused = this.#refused.verdict(head, missing);
    if (refused !== undefined) return refused;
    if (this.#chain.header(missing) === undefined) {
      this.#backfill.request(missing);
      return SYNCING;
    }
    let status = SYNCING;
    for (const block of path) {
      status = await this.#import(block);
      if (status.status !== 'VALID') return this.#refused.verdict(head, block.hash) ?? status;
    }
    return status;
  }

  async #chooseUnreached(): Promise<void> {
    const state = this.#unreached;
    if (state === undefined) return;
    const { status } = await this.#makeCanonical(state);
    this.#log.info('the missing blocks came', { head: state.headBlockHash, status });
  }

  async #build(version: 1 | 2 | 3, head: Hex, attributes: PayloadAttributes): Promise<Hex> {
    const parent = this.#chain.header(head)!;
    checkAttributes(version, attributes, this.#chain.rulesAt(attributes.timestamp), parent.timestamp);
    const id = payloadId(version, head, attributes);
    if (this.#jobs.get(id) !== undefined) return id;
    const { PayloadJob } = await loadLazyEvm();
    const order = { chain: this.#chain, pool: this.#pool, parent: head, attributes, daLimits: this.#daLimits };
    this.#jobs.add(id, await PayloadJob.start(order));
    return id;
  }

  /** The answer to a new block upon a state that is not kept; undefined for any other. */
  #postponed(block: UnexecutedBlock): PayloadStatus | undefined {
    const { hash, header } = block;
    const parent = this.#chain.header(header.parentHash);
    if (parent === undefined || this.#chain.hasState(parent) || this.#chain.header(hash) !== undefined)
      return undefined;
    const refused = this.#refusal(block);
    if (refused !== undefined) return refused;
    // Its execution tells what is wrong with its time.
    if (header.timestamp <= parent.timestamp) return undefined;
    this.#waiting.add(block);
    this.#log.warn('block upon a state that is not kept', { number: header.number, hash });
    return ACCEPTED;
  }

  /** The verdict on a block that was refused before, or upon such a one. */
  #refusal(block: UnexecutedBlock): PayloadStatus | undefined {
    const refused = this.#refused.verdict(block.hash, block.header.parentHash);
    if (refused !== undefined && this.badBlocks.retention.descendants) this.badBlocks.add(block);
    return refused;
  }

  async #import(block: UnexecutedBlock): Promise<PayloadStatus> {
    const { hash, header, transactions } = block;
    if (this.#chain.header(hash) !== undefined) return valid(hash);
    const refused = this.#refusal(block);
    if (refused !== undefined) return refused;
    const built = this.#built.get(hash);
    if (built === undefined && this.#chain.header(header.parentHash) === undefined) {
      this.#waiting.add(block);
      return SYNCING;
    }
    this.#waiting.remove(hash);
    const { validateBlock } = await loadLazyEvm();
    try {
      const executed = built ?? (await validateBlock(this.#chain, block));
      // Reading a full payload and storing it take milliseconds each: other work gets its turn between them.
      await nextTurn();
      await this.#chain.insert(executed);
      this.#built.delete(hash);
      this.#log.debug('imported block', { number: header.number, hash, transactions: transactions.length });
      return valid(hash);
    } catch (error) {
      if (!(error instanceof BlockInvalid)) throw error;
      this.#log.warn('refused block', { number: header.number, hash, field: error.field, reason: error.message });
      this.badBlocks.add(block);
      return this.#refused.add(hash, header.parentHash, error.message);
    }
  }
}
