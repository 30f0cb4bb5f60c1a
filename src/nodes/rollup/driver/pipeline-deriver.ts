import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ActionableOutcome, Pipeline } from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { isEngineError } from '../engine/error.ts';
import type { NextStep } from '../loop/loop.ts';
import { type RetryTimer, retryTimer } from '../loop/retry-timer.ts';
import { AttributesHandler, type AttributesHandlerOptions } from './attributes-handler.ts';
import type { SafeDeriver } from './safe-deriver.ts';

/** The parts that the deriver and its handler of attributes work with. */
export interface PipelineDeriverOptions extends AttributesHandlerOptions {
  readonly clock: Clock & Quiesce;
  /** Derivation pauses, or starts over after a reorganisation of L1 (`isReorg`). */
  readonly onFailure: (isReorg: boolean) => void;
  /** Whether the newest attempt lacked data that is not on L1. */
  readonly lacksData: () => boolean;
  /** Requests an engine reset, with the reason. */
  readonly requestReset: (reason: string) => void;
  /** Called when the L1 data up to `origin` is exhausted, with the safe head. */
  readonly onExhausted: (origin: L1BlockRef, head: L2BlockRef) => void;
}

/** Blocks by which the safe head trails the unsafe head before derivation takes longer turns. */
const MIN_BLOCKS_BEHIND = 16;

/** Wall time (ms) of such a turn. It delays the sequencer's next block. */
const LONG_TURN_MS = 20;

/**
 * Derives safe blocks from L1 data (op-node: `PipelineDeriver`, `SyncDeriver`; kona: `DerivationActor`).
 * The pipeline runs in the background; its attributes are built or consolidated in steps of the event loop.
 * While the engine executes a block, the pipeline already derives the next one, whose build then starts with the same
 * forkchoice call.
 */
export class PipelineDeriver implements SafeDeriver {
  readonly name = 'derivation';
  readonly #options: PipelineDeriverOptions;
  readonly #handler: AttributesHandler;
  readonly #pipeline: Pipeline;
  readonly #retries: RetryTimer;
  /** Delays derivation after a reset for the same reason as the last one. */
  readonly #resets: RetryTimer;
  #lastReset: string | undefined;
  #isExhausted = false;
  #isReady = false;
  /** New L1 heads, and those of them that the running pipeline reads. */
  #l1Heads = 0;
  #l1HeadsAtStart = 0;

  constructor(options: PipelineDeriverOptions) {
    this.#options = options;
    this.#handler = new AttributesHandler(options, options.clock.activity());
    this.#pipeline = this.#handler.pipeline;
    this.#retries = retryTimer(options.clock, 50, 2000);
    this.#resets = retryTimer(options.clock, 50, 2000);
  }

  /** True when derivation has used all L1 data up to its head (op-node: `DeriverIdleEvent`). */
  get isExhausted(): boolean {
    return this.#isReady && this.#isExhausted && this.#handler.pending === undefined;
  }

  async step(): Promise<NextStep> {
    const { clock } = this.#options;
    const until = clock.elapsed() + LONG_TURN_MS;
    let next = await this.#advance();
    // A sequencer that catches up with the clock acts in every turn of the loop, and makes a whole block in each.
    while (this.#isBehind() && clock.elapsed() < until) {
      if (next === null && !this.#isExhausted) await this.#handler.wait(until - clock.elapsed());
      else if (next !== 'again') break;
      next = await this.#advance();
    }
    return next !== null && typeof next === 'object' && this.#options.lacksData() ? { ...next, isIdle: true } : next;
  }

  /** Continues with a new L1 head. */
  onL1Head(): void {
    this.#l1Heads++;
    this.#isExhausted = false;
    this.#retries.clear();
    this.#options.wake();
  }

  /**
   * Stops derivation until `reset`. Called before the safe head moves back, so that a batcher waits instead of posting
   * its blocks again.
   */
  suspend(): void {
    this.#isReady = false;
  }

  /** Starts over after the new safe head. */
  async reset(safe: L2BlockRef): Promise<void> {
    await this.#clear();
    await this.#pipeline.reset(safe);
    this.#isReady = true;
  }

  /** Resolves when the pipeline makes no request. */
  idle(): Promise<void> {
    return this.#handler.idle();
  }

  /**
   * Returns a function that starts over after the present safe head.
   * The function sends no request to L1 or the engine.
   */
  async remember(safe: L2BlockRef): Promise<() => Promise<void>> {
    const start = await this.#pipeline.startOf(safe);
    return async () => {
      await this.#clear();
      this.#pipeline.resetTo(start);
      this.#isReady = true;
    };
  }

  /** The L1 block that derivation has reached; undefined during an engine reset. */
  origin(): L1BlockRef | undefined {
    if (!this.#isReady) return undefined;
    // The pipeline may be ahead of the attributes that are not applied yet.
    const { pending } = this.#handler;
    return pending ? pending.derivedFrom : this.#pipeline.origin();
  }

  #isBehind(): boolean {
    if (!this.#isReady) return false;
    const { unsafe, pendingSafe } = this.#options.engine.heads();
    return unsafe.number - pendingSafe.number > MIN_BLOCKS_BEHIND;
  }

  /** Applies the next attributes, or starts the pipeline. */
  async #advance(): Promise<NextStep> {
    if (!this.#isReady) return null;
    const handler = this.#handler;
    const retry = this.#retries.waiting() ?? this.#resets.waiting();
    if (retry) return retry;
    const settled = handler.take();
    if (settled) {
      if (!settled.ok) return this.#retry(settled.error);
      const next = this.#settle(settled.value);
      if (next !== 'again') return next;
    }
    if (handler.pending) return this.#apply();
    if (handler.isRunning || this.#isExhausted || !this.#isReady) return null;
    this.#l1HeadsAtStart = this.#l1Heads;
    handler.derive();
    return null;
  }

  /** Applies the pending attributes. */
  async #apply(): Promise<NextStep> {
    try {
      await this.#handler.apply();
      this.#retries.succeeded();
    } catch (error) {
      if (isEngineError(error, 'temporary', 'syncing', 'unauthorized', 'unknown-payload')) return this.#retry(error);
      if (!isEngineError(error, 'forkchoice') && !isReset(error)) throw error;
      this.#requestReset(error instanceof Error ? error.message : String(error));
    }
    return 'again';
  }

  /** Returns the step that follows a result of the pipeline. */
  #settle(outcome: ActionableOutcome): NextStep {
    switch (outcome.kind) {
      case 'attributes':
        return 'again';
      case 'eof':
        this.#retries.succeeded();
        this.#resets.succeeded();
        this.#lastReset = undefined;
        // L1 may have a new head since the pipeline started.
        this.#isExhausted = this.#l1HeadsAtStart === this.#l1Heads;
        this.#options.onExhausted(this.#pipeline.origin(), this.#options.engine.heads().safe);
        return this.#isExhausted ? null : 'again';
      case 'retry':
        return this.#retry(outcome.error);
      case 'reset':
        this.#options.onFailure(true);
        this.#requestReset(outcome.error.message);
        return 'again';
      case 'fatal':
        throw outcome.error;
    }
  }

  #retry(error: Error): NextStep {
    if (this.#retries.isNews(error)) this.#options.log.warn('derivation pauses', { error });
    this.#options.onFailure(false);
    return this.#retries.failed();
  }

  #requestReset(reason: string): void {
    if (this.#lastReset === reason) this.#resets.failed();
    this.#lastReset = reason;
    this.#isReady = false;
    this.#options.requestReset(reason);
  }

  async #clear(): Promise<void> {
    this.#isReady = false;
    await this.#handler.clear();
    this.#isExhausted = false;
    this.#retries.clear();
  }
}

function isReset(error: unknown): boolean {
  return error instanceof DerivationError && error.handling === 'reset';
}
