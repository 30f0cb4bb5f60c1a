import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import type { Build, EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import type { Deriver, NextStep } from '../loop/loop.ts';
import { type RetryTimer, retryTimer } from '../loop/retry-timer.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { AttributesBuilder, type AttributesBuilderOptions } from './attributes-builder.ts';

/** Settings of the sequencer, and the parts that it works with. */
export interface SequencerOptions extends AttributesBuilderOptions {
  readonly engine: EngineController;
  /** Commits a sealed block to the conductor before it is published; undefined without a conductor. */
  readonly commit: ((envelope: ExecutionPayloadEnvelope) => Promise<void>) | undefined;
  /** Publishes a sealed block, before this node's own engine executes it. */
  readonly publish: (envelope: ExecutionPayloadEnvelope) => void;
  readonly meter: Pick<Metricer, 'recordSequencerTimes' | 'recordFailure'>;
  readonly requestReset: (reason: string) => void;
  /** Blocks between the safe and the unsafe head at which sequencing pauses; 0: no limit. */
  readonly maxSafeLag: number;
  readonly isActive: boolean;
}

/**
 * The deriver that makes blocks (op-node: `Sequencer`, kona: `SequencerActor`).
 * It starts a block as soon as its parent is the head, and seals it when the network clock reaches its timestamp.
 * A sequencer that is behind seals at once, so that it catches up as fast as the engine builds.
 */
export class Sequencer implements Deriver {
  readonly name = 'sequencer';
  readonly #options: SequencerOptions;
  readonly #attributes: AttributesBuilder;
  readonly #retries: RetryTimer;
  #isActive: boolean;
  #build: Build | undefined;
  /** Monotonic milliseconds. */
  #buildingSince = 0;
  #sealed: ExecutionPayloadEnvelope | undefined;
  #isPublished = false;
  /** The reason of the current wait, logged once. */
  #waitsFor: 'L1' | 'safe head' | undefined;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#attributes = new AttributesBuilder(options);
    this.#retries = retryTimer(options.clock, 20, 1000);
    this.#isActive = options.isActive;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** A published block is not inserted into this node's own engine yet. */
  get isInserting(): boolean {
    return this.#sealed !== undefined && this.#isPublished;
  }

  async step(): Promise<NextStep> {
    const { engine } = this.#options;
    if (!this.#isActive || !engine.isReady) return null;
    const retry = this.#retries.waiting();
    if (retry) return retry;
    const { unsafe } = engine.heads();
    if (this.#build && this.#build.parent.hash !== unsafe.hash) this.#build = undefined;
    if (this.#sealed && this.#sealed.executionPayload.parentHash !== unsafe.hash) this.#sealed = undefined;
    try {
      if (this.#sealed) return await (this.#isPublished ? this.#insert(this.#sealed) : this.#publish(this.#sealed));
      if (this.#build) return await this.#seal(this.#build);
      return await this.#begin(unsafe);
    } catch (error) {
      return this.#onError(error);
    }
  }

  start(): void {
    this.#isActive = true;
    this.#options.wake();
  }

  /** Recovery mode: empty blocks, each on the next L1 origin. */
  setRecovering(isRecovering: boolean): void {
    if (isRecovering === this.#attributes.isRecovering) return;
    this.#attributes.isRecovering = isRecovering;
    this.#build = undefined;
    this.#attributes.cancel();
    this.#options.log.warn(isRecovering ? 'recovering: blocks are empty' : 'not recovering any more');
    this.#options.wake();
  }

  /** Stops sequencing and drops the block under construction. */
  stop(): void {
    this.#isActive = false;
    this.reset();
  }

  /** Drops the block under construction: the heads have moved. */
  reset(): void {
    this.#build = undefined;
    this.#sealed = undefined;
    this.#attributes.cancel();
  }

  /** Returns a function that restores the present state. The block under construction is begun anew. */
  remember(): () => void {
    const isActive = this.#isActive;
    const { isRecovering } = this.#attributes;
    return () => {
      this.reset();
      this.#retries.clear();
      this.#waitsFor = undefined;
      this.#isActive = isActive;
      this.#attributes.isRecovering = isRecovering;
    };
  }

  /** Starts a block on the unsafe head, when the safe head is near enough and the head's time has come. */
  #begin(head: L2BlockRef): NextStep | Promise<NextStep> {
    const { engine, clock } = this.#options;
    if (!this.#mayBuildOn(head)) {
      const lag = head.number - engine.heads().safe.number;
      this.#waitFor('safe head', `${lag} blocks past the safe head: waiting for it`, head);
      return null;
    }
    const headTime = head.timestamp * 1000;
    return headTime > clock.now() ? headTime : this.#startBuildingBlock(head);
  }

  /** Prepares attributes in the background, then starts the build on `head` (op-node: `startBuildingBlock`). */
  async #startBuildingBlock(head: L2BlockRef): Promise<NextStep> {
    const { engine, clock } = this.#options;
    const prepared = this.#attributes.take();
    if (!prepared) {
      if (!this.#attributes.isRunning) this.#attributes.start(head);
      return null;
    }
    if (!prepared.ok) return this.#onError(prepared.error);
    const { parent, attributes } = prepared.value;
    if (parent.hash !== head.hash) return 'again';
    if (attributes === null) {
      const reason = this.#attributes.isRecovering ? 'recovering' : 'past the sequencer drift';
      this.#waitFor('L1', `${reason}: waiting for L1`, head);
      return clock.now() + 1000;
    }
    this.#waitsFor = undefined;
    this.#buildingSince = performance.now();
    this.#build = await engine.startBuild(head, attributes);
    return 'again';
  }

  /** Seals a block when its timestamp is reached (op-node: `onBuildSealed`, kona: `SealTask`). */
  async #seal(build: Build): Promise<NextStep> {
    const { engine, clock, meter } = this.#options;
    const due = Number(build.attributes.timestamp) * 1000;
    if (due > clock.now()) return due;
    this.#build = undefined;
    const from = performance.now();
    this.#sealed = await engine.seal(build);
    const now = performance.now();
    meter.recordSequencerTimes((now - this.#buildingSince) / 1000, (now - from) / 1000);
    this.#isPublished = false;
    return this.#publish(this.#sealed);
  }

  /** Publishes a sealed block. One that the conductor does not commit waits: no peer has it. */
  async #publish(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    try {
      await this.#options.commit?.(envelope);
    } catch (error) {
      return this.#retry(new Error('cannot commit the block to the conductor', { cause: error }));
    }
    this.#isPublished = true;
    this.#options.publish(envelope);
    return this.#insert(envelope);
  }

  /**
   * Inserts a published block. It retries while the engine does not answer, so that no second block of its height is
   * made. The next block is prepared meanwhile, and begun by the call that makes this one the head.
   */
  async #insert(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    const { rollup, engine, log } = this.#options;
    try {
      const ref = blockRefOf(rollup, envelope.executionPayload);
      if (this.#mayBuildOn(ref)) this.#attributes.start(ref);
      await engine.execute(envelope);
      const next = this.#attributes.takeAfter(ref);
      this.#buildingSince = performance.now();
      this.#build = await engine.adoptUnsafe(ref, next);
      const { gasUsed, transactions, blockHash } = envelope.executionPayload;
      log.info('sequenced a block', {
        number: ref.number,
        hash: blockHash,
        origin: ref.l1origin.number,
        transactions: transactions.length,
        gasUsed,
      });
    } catch (error) {
      if (isEngineError(error, 'temporary', 'unauthorized')) return this.#retry(error);
      this.#sealed = undefined;
      throw error;
    }
    this.#sealed = undefined;
    this.#retries.succeeded();
    return 'again';
  }

  /** Tells whether a block may be built on this one (op-node: `SequencerMaxSafeLag`): the safe head is near enough. */
  #mayBuildOn({ number }: L2BlockRef): boolean {
    const { engine, maxSafeLag } = this.#options;
    return maxSafeLag === 0 || number - engine.heads().safe.number < maxSafeLag;
  }

  #waitFor(what: 'L1' | 'safe head', message: string, head: L2BlockRef): void {
    if (this.#waitsFor !== what) this.#options.log.warn(message, { head: head.number, origin: head.l1origin.number });
    this.#waitsFor = what;
  }

  #retry(error: Error): NextStep {
    if (this.#retries.isNews(error)) this.#options.log.warn('no block for now', { error });
    return this.#retries.failed();
  }

  /** @throws DerivationError fatal: L1 data that no node can derive from */
  #onError(error: unknown): NextStep {
    this.#build = undefined;
    if (error instanceof DerivationError && error.handling === 'fatal') throw error;
    const isReorg = error instanceof DerivationError && error.handling === 'reset';
    this.#options.meter.recordFailure('sequencing', isReorg);
    if (isReorg || isEngineError(error, 'forkchoice')) {
      // Counted as a failure: the next attempt waits longer if the new heads have the same fault.
      this.#retries.failed();
      this.#options.requestReset(error.message);
      return 'again';
    }
    return this.#retry(asError(error));
  }
}

/**
 * Checks an `admin_startSequencer` request with the messages of op-node's `Sequencer.Start`.
 * `expected`: the head that the caller requires.
 * @throws Error
 */
export function checkStart(sequencer: Sequencer, head: Hex, expected: Hex | undefined): void {
  if (sequencer.isActive) throw new Error('sequencer already running');
  if (expected !== undefined && expected.toLowerCase() !== head)
    throw new Error(`block hash does not match: head ${head}, received ${expected}`);
}
