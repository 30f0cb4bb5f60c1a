import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { L1Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex, L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import type { L1Tracker } from '../l1/l1-tracker.ts';
import { type BackgroundJob, backgroundJob } from '../loop/background-job.ts';
import type { NextStep } from '../loop/loop.ts';
import { type RetryTimer, retryTimer } from '../loop/retry-timer.ts';
import type { FollowedHeads, FollowSource } from './follow-source.ts';
import type { SafeDeriver } from './safe-deriver.ts';

/** The parts that a follower works with. */
export interface FollowerOptions {
  readonly rollup: Rollup;
  readonly source: FollowSource;
  readonly l1: L1Chain;
  readonly heads: L1Tracker;
  readonly engine: EngineController;
  readonly client: EngineClient;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly wake: () => void;
  readonly requestReset: (reason: string) => void;
  /** Requests a block from peers. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
  /** Called with each new safe head, and the L1 block that the source had reached. */
  readonly onSafe: (origin: L1BlockRef, head: L2BlockRef) => void;
}

/** Wall time (ms) between two readings of the source. */
const POLL_MS = 500;
/** The first such time after a new head of L1, which the source still has to derive. It doubles. */
const FIRST_POLL_MS = 20;
/** Blocks that are requested from peers to come from this node's chain to the source's safe head. */
const MAX_WALK = 256;

/** What a reading of the source found. */
interface Reading {
  readonly followed: FollowedHeads;
  /** The source's safe head if this node has it or got it, and its finalized head. */
  readonly safe: L2BlockRef | undefined;
  readonly finalized: L2BlockRef | undefined;
  /** Blocks from peers, the lowest first, that lead to the safe head from a block of this node. */
  readonly blocks: readonly ExecutionPayloadEnvelope[];
}

/**
 * Follows the safe and finalized heads of another rollup node in place of deriving them. Unsafe blocks come by gossip.
 * A status whose L1 block is not on this node's L1 is dropped. While the source does not answer, all heads stay.
 * Counterpart in op-node: `Driver.followUpstream`, in kona: `FollowActor`.
 */
export class Follower implements SafeDeriver {
  readonly name = 'follower';
  readonly #options: FollowerOptions;
  readonly #job: BackgroundJob<Reading | undefined>;
  readonly #retries: RetryTimer;
  #isReady = false;
  /** Time (ms) before the next reading. */
  #pauseMs = FIRST_POLL_MS;
  #origin: L1BlockRef | undefined;
  /** Runs while the source has derived all of L1: such a wait keeps no step of the clock open. */
  #rest: NodeJS.Timeout | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#job = backgroundJob<Reading | undefined>(options.wake, options.clock.activity());
    this.#retries = retryTimer(options.clock, POLL_MS, 4 * POLL_MS);
  }

  get isExhausted(): boolean {
    return this.#isReady && this.#origin !== undefined && this.#origin.hash === this.#options.heads.latest?.hash;
  }

  onL1Head(): void {
    this.#pauseMs = FIRST_POLL_MS;
    if (this.#retries.failures === 0) this.#retries.clear();
    this.#wakeUp();
  }

  suspend(): void {
    this.#isReady = false;
  }

  async reset(): Promise<void> {
    await this.#job.discard();
    this.#origin = undefined;
    this.#retries.clear();
    this.#wakeUp();
    this.#isReady = true;
  }

  async idle(): Promise<void> {
    await this.#job.discard();
  }

  async remember(): Promise<() => Promise<void>> {
    return () => this.reset();
  }

  origin(): L1BlockRef | undefined {
    return this.#isReady ? this.#origin : undefined;
  }

  async step(): Promise<NextStep> {
    if (!this.#isReady || this.#rest !== undefined) return null;
    const waiting = this.#retries.waiting();
    if (waiting) return waiting;
    const outcome = this.#job.take();
    if (outcome === undefined) {
      if (!this.#job.isRunning) this.#job.start(() => this.#read());
      return null;
    }
    if (!outcome.ok) return this.#failed(outcome.error);
    try {
      if (outcome.value !== undefined) await this.#apply(outcome.value);
    } catch (error) {
      if (isEngineError(error, 'forkchoice')) this.#options.requestReset(error.message);
      else if (!isEngineError(error, 'temporary', 'syncing', 'unauthorized')) throw error;
      return this.#retries.failed();
    }
    if (this.#retries.failures > 0) this.#options.log.info('follows the rollup node again');
    this.#retries.succeeded();
    if (this.isExhausted) {
      this.#rest = setTimeout(() => this.#wakeUp(), POLL_MS).unref();
      return null;
    }
    this.#pauseMs = Math.min(POLL_MS, 2 * this.#pauseMs);
    return this.#retries.after(this.#pauseMs);
  }

  #wakeUp(): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#options.wake();
  }

  #failed(error: Error): NextStep {
    const { log, source } = this.#options;
    if (this.#retries.isNews(error))
      log.warn('cannot follow the rollup node: safe and finalized heads stay', { source: source.url, error });
    return this.#retries.failed();
  }

  /**
   * Reads the source and what this node has of its heads. Undefined: one of them is not as far yet.
   * @throws Error if that fails, or the L1 block is another one
   */
  async #read(): Promise<Reading | undefined> {
    const { source, l1, signal } = this.#options;
    const followed = await source.heads(signal);
    if (followed === undefined) return undefined;
    const { currentL1 } = followed;
    const header = await l1.headerByNumber(currentL1.number);
    if (header === null) return undefined;
    if (header.hash !== currentL1.hash)
      throw new Error(`its L1 block ${currentL1.number} (${currentL1.hash}) is not on this node's L1`);
    const finalized = await this.#own(followed.finalized);
    const safe = await this.#own(followed.safe);
    if (safe !== undefined) return { followed, safe, finalized, blocks: [] };
    const blocks = await this.#walk(followed.safe);
    const last = blocks.at(-1);
    return { followed, finalized, blocks, safe: last && this.#refOf(last) };
  }

  /** Returns a block of this node's chain; undefined if it has another one at that height, or none. */
  async #own({ number, hash }: BlockId): Promise<L2BlockRef | undefined> {
    const envelope = await this.#options.client.payloadByNumber(number);
    return envelope?.executionPayload.blockHash === hash ? this.#refOf(envelope) : undefined;
  }

  #refOf(envelope: ExecutionPayloadEnvelope): L2BlockRef {
    return blockRefOf(this.#options.rollup, envelope.executionPayload);
  }

  /** Requests blocks from peers, from one down to a block of this node. Empty if that is too far, or peers lack one. */
  async #walk(target: BlockId): Promise<readonly ExecutionPayloadEnvelope[]> {
    const blocks: ExecutionPayloadEnvelope[] = [];
    let next: BlockId = target;
    while (blocks.length < MAX_WALK && next.number > 0) {
      const envelope = await this.#options.request(next.number, next.hash);
      if (envelope === null) return [];
      blocks.unshift(envelope);
      next = { number: next.number - 1, hash: envelope.executionPayload.parentHash };
      if ((await this.#own(next)) !== undefined) return blocks;
    }
    return [];
  }

  /** Moves the heads to those of the source. None moves back on one chain: the source may have just started. */
  async #apply({ followed, safe, finalized, blocks }: Reading): Promise<void> {
    const { engine, log, onSafe } = this.#options;
    const before = engine.heads();
    const isConflict = safe !== undefined && safe.number <= before.unsafe.number;
    if (blocks.length > 0 && safe !== undefined) {
      for (const envelope of blocks) await engine.execute(envelope);
      if (isConflict) log.warn('the followed rollup node has another chain', { number: safe.number, hash: safe.hash });
      const final = before.finalized;
      await engine.reset({ unsafe: safe, pendingSafe: safe, safe, finalized: final });
    } else if (safe !== undefined && safe.number > before.safe.number) await engine.promoteSafe(safe, true);
    const now = engine.heads();
    if (now.safe.hash !== before.safe.hash) onSafe(followed.currentL1, now.safe);
    const isFinal = finalized !== undefined && finalized.number > now.finalized.number;
    if (isFinal && finalized.number <= now.safe.number) await engine.promoteFinalized(finalized);
    // Before it has the source's safe head, it has not reached what the source has.
    if (safe !== undefined) this.#origin = followed.currentL1;
  }
}
