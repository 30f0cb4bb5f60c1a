import { type BlockHeader, headerHash } from '../../../protocol/codec/header.ts';
import { payloadHeader } from '../../../protocol/codec/payload-header.ts';
import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/log.ts';
import { BlockInvalid } from '../block/errors.ts';
import type { ExecutedBlock } from '../block/executor.ts';
import type { Chain } from '../chain/chain.ts';
import { loadExecution } from '../load-execution.ts';
import type { TransactionPool } from '../pool/pool.ts';
import { LruMap } from '../store/lru-map.ts';
import { checkAttributes } from './attributes.ts';
import type { BuildJob } from './build-job.ts';
import { engineError } from './errors.ts';
import { payloadId } from './payload-id.ts';

export interface PayloadStatus {
  readonly status: 'VALID' | 'INVALID' | 'SYNCING' | 'ACCEPTED';
  readonly latestValidHash: Hex | null;
  readonly validationError: string | null;
}

export interface ForkchoiceState {
  readonly headBlockHash: Hex;
  readonly safeBlockHash: Hex;
  readonly finalizedBlockHash: Hex;
}

/** Build jobs, built blocks and refused blocks that are remembered. */
const REMEMBERED = 16;

/** What the rollup node drives: blocks are built, checked and chosen here, one request after another. */
export class Engine {
  readonly #chain: Chain;
  readonly #pool: TransactionPool;
  readonly #log: Logger;
  readonly #jobs = new Map<Hex, BuildJob>();
  /** Blocks that this process built, by hash: they are not executed again. */
  readonly #built = new LruMap<ExecutedBlock>(REMEMBERED);
  readonly #refused = new LruMap<PayloadStatus>(REMEMBERED * 4);
  #queue: Promise<unknown> = Promise.resolve();

  constructor(chain: Chain, pool: TransactionPool, log: Logger) {
    this.#chain = chain;
    this.#pool = pool;
    this.#log = log;
  }

  /** Moves the chain; with attributes starts to build on its head. @throws RpcError -38002, -38003 */
  forkchoiceUpdated(
    version: number,
    state: ForkchoiceState,
    attributes: PayloadAttributes | null,
  ): Promise<{ payloadStatus: PayloadStatus; payloadId: Hex | null }> {
    return this.#inTurn(async () => {
      const payloadStatus = this.#choose(state);
      if (payloadStatus.status !== 'VALID' || attributes === null) return { payloadStatus, payloadId: null };
      return { payloadStatus, payloadId: await this.#build(version, state.headBlockHash, attributes) };
    });
  }

  /** Checks a payload and stores its block. */
  newPayload(envelope: ExecutionPayloadEnvelope): Promise<PayloadStatus> {
    return this.#inTurn(() => this.#import(envelope));
  }

  /** Ends a build job. @throws RpcError -38001 */
  async getPayload(id: Hex): Promise<ExecutedBlock> {
    const job = this.#jobs.get(id);
    if (job === undefined) throw engineError('unknownPayload', `no payload ${id} is being built`);
    const executed = await job.finish();
    this.#built.set(executed.hash, executed);
    return executed;
  }

  /** Lets running work end; nothing new is built. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.abandon()));
    await this.#queue;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }

  #choose({ headBlockHash: head, safeBlockHash: safe, finalizedBlockHash: finalized }: ForkchoiceState): PayloadStatus {
    if (head === ZERO_HASH) return invalid(null, 'the head must not be zero');
    const refused = this.#refused.get(head);
    if (refused !== undefined) return refused;
    const header = this.#chain.header(head);
    if (header === undefined) return SYNCING;
    const labels: { safe?: Hex; finalized?: Hex } = {};
    if (finalized !== ZERO_HASH) labels.finalized = this.#label('finalized', finalized, head, header);
    if (safe !== ZERO_HASH) labels.safe = this.#label('safe', safe, head, header);
    const { removed, added } = this.#chain.choose(head, labels);
    const depth = { head, number: header.number, removed: removed.length, added: added.length };
    if (removed.length > 0) this.#log.warn('chain reorganised', depth);
    else if (added.length > 0) this.#log.info('chain head updated', depth);
    return { status: 'VALID', latestValidHash: head, validationError: null };
  }

  #label(name: string, hash: Hex, head: Hex, headHeader: BlockHeader): Hex {
    const header = this.#chain.header(hash);
    if (header === undefined) throw engineError('invalidForkchoiceState', `${name} block ${hash} is not known`);
    let at = head;
    let current = headHeader;
    while (current.number > header.number) {
      if (this.#chain.canonicalHash(current.number) === at && this.#chain.isCanonical(hash)) return hash;
      at = current.parentHash;
      current = this.#chain.header(at)!;
    }
    if (at !== hash)
      throw engineError('invalidForkchoiceState', `${name} block ${hash} is no ancestor of the head ${head}`);
    return hash;
  }

  async #build(version: number, head: Hex, attributes: PayloadAttributes): Promise<Hex> {
    checkAttributes(attributes, this.#chain.rulesAt(attributes.timestamp), this.#chain.header(head)!.timestamp);
    const id = payloadId(version, head, attributes);
    if (this.#jobs.has(id)) return id;
    const { BuildJob } = await loadExecution();
    const job = await BuildJob.start(this.#chain, this.#pool, head, attributes);
    for (const other of this.#jobs.values()) void other.abandon();
    this.#jobs.set(id, job);
    if (this.#jobs.size > REMEMBERED) this.#jobs.delete(this.#jobs.keys().next().value!);
    return id;
  }

  async #import(envelope: ExecutionPayloadEnvelope): Promise<PayloadStatus> {
    const { executionPayload: payload } = envelope;
    const { blockHash: hash, parentHash } = payload;
    if (this.#chain.header(hash) !== undefined) return valid(hash);
    const refused = this.#refused.get(hash) ?? this.#refused.get(parentHash);
    if (refused !== undefined) return refused;
    const header = payloadHeaderOrProblem(envelope, this.#chain);
    if (typeof header === 'string') return invalid(null, header);
    if (headerHash(header) !== hash)
      return invalid(null, `blockhash mismatch, want ${hash}, got ${headerHash(header)}`);
    const built = this.#built.get(hash);
    if (built !== undefined) {
      this.#chain.insert(built);
      return valid(hash);
    }
    if (this.#chain.header(parentHash) === undefined) return SYNCING;
    const { validateBlock } = await loadExecution();
    try {
      this.#chain.insert(await validateBlock(this.#chain, parentHash, header, payload.transactions));
      this.#log.debug('imported block', { number: header.number, hash, transactions: payload.transactions.length });
      return valid(hash);
    } catch (error) {
      if (!(error instanceof BlockInvalid)) throw error;
      this.#log.warn('refused block', { number: header.number, hash, field: error.field, reason: error.message });
      const status = invalid(parentHash, error.message);
      this.#refused.set(hash, status);
      return status;
    }
  }
}

const SYNCING: PayloadStatus = { status: 'SYNCING', latestValidHash: null, validationError: null };

function valid(hash: Hex): PayloadStatus {
  return { status: 'VALID', latestValidHash: hash, validationError: null };
}

function invalid(latestValidHash: Hex | null, validationError: string): PayloadStatus {
  return { status: 'INVALID', latestValidHash, validationError };
}

function payloadHeaderOrProblem(envelope: ExecutionPayloadEnvelope, chain: Chain): BlockHeader | string {
  try {
    return payloadHeader(envelope, chain.rulesAt(envelope.executionPayload.timestamp));
  } catch (error) {
    return (error as Error).message;
  }
}
