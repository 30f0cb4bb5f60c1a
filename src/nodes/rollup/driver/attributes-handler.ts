import { setImmediate as nextTurn } from 'node:timers/promises';
import { attributesMatchBlock } from '../../../protocol/derivation/attributes/attributes-match-block.ts';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type {
  ActionableOutcome,
  AttributesWithParent,
  Pipeline,
} from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { L2Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Activity } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { EngineClient } from '../engine/client.ts';
import type { Build, EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { type BackgroundJob, backgroundJob, type Settled } from '../loop/background-job.ts';

/** The parts that the handler works with. */
export interface AttributesHandlerOptions {
  readonly rollup: Rollup;
  /** Creates the pipeline on the chain that it reads: the engine's, with the block that is being executed. */
  readonly createPipeline: (chain: L2Chain) => Pipeline;
  readonly engine: EngineController;
  readonly client: L2Chain & Pick<EngineClient, 'payloadBelow'>;
  readonly log: Logger;
  /** Called with each result of the pipeline. */
  readonly wake: () => void;
  readonly onSafe: (derivedFrom: L1BlockRef, head: L2BlockRef) => void;
  /** Takes the block that becomes final with the next move of the safe head; undefined for none. */
  readonly takeFinal: () => L2BlockRef | undefined;
}

/**
 * Derives attributes ahead of the engine and applies them to it (op-node: `AttributesHandler`).
 * Owns all that is derived and no block yet: the running pipeline or its result, the attributes to apply next, and the
 * build of theirs that the engine has started. While the engine executes a block, the pipeline derives the next one.
 */
export class AttributesHandler {
  readonly pipeline: Pipeline;
  readonly #options: AttributesHandlerOptions;
  readonly #job: BackgroundJob<ActionableOutcome>;
  /** The block on which the pipeline runs while the engine executes it. */
  #executing: { readonly envelope: ExecutionPayloadEnvelope; readonly ref: L2BlockRef } | undefined;
  #pending: AttributesWithParent | undefined;
  /** The started build of attributes that were derived ahead. */
  #started: Build | undefined;
  /** No lookahead up to this block: the engine rejected a block of its own. */
  #carefulUntil = 0;

  /** `activity` is busy while the pipeline runs. */
  constructor(options: AttributesHandlerOptions, activity: Activity) {
    this.#options = options;
    this.#job = backgroundJob(options.wake, activity);
    this.pipeline = options.createPipeline(chainOn(options.client, () => this.#executing?.envelope));
  }

  /** Whether the pipeline runs. */
  get isRunning(): boolean {
    return this.#job.isRunning;
  }

  /** The attributes to apply next. */
  get pending(): AttributesWithParent | undefined {
    return this.#pending;
  }

  /** Derives the attributes after the (pending) safe head. */
  derive(): void {
    const { pendingSafe } = this.#options.engine.heads();
    this.#job.start(() => this.pipeline.next(pendingSafe));
  }

  /**
   * Returns the pipeline's result once, and only if it belongs to a head. Attributes become `pending`.
   * There is none while others are pending.
   */
  take(): Settled<ActionableOutcome> | undefined {
    if (this.#pending || this.#executing) return undefined;
    const settled = this.#job.take();
    if (settled?.ok && settled.value.kind === 'attributes') this.#pending = settled.value.attributes;
    return settled;
  }

  /**
   * Makes the pending attributes the (pending) safe head. If the engine rejects them, their replacement is applied
   * in the same step, before another deriver can build on their parent.
   * @throws EngineError: the same attributes may be applied again. DerivationError reset: an engine reset is required
   */
  async apply(): Promise<void> {
    while (this.#pending) this.#pending = await this.#applyOrReplace(this.#pending);
  }

  /** Resolves when the running pipeline ends, at most `ms` of wall time later. */
  wait(ms: number): Promise<void> {
    return this.#job.wait(ms);
  }

  /** Waits for the running pipeline and drops its result. Pending attributes stay. */
  async idle(): Promise<void> {
    await this.#job.discard();
    this.#executing = undefined;
  }

  /** Waits for the running pipeline and drops all that was derived: the heads have moved. */
  async clear(): Promise<void> {
    await this.idle();
    this.#started = undefined;
    this.#pending = undefined;
  }

  /** Applies attributes. Returns their replacement if the engine rejected them. */
  async #applyOrReplace(derived: AttributesWithParent): Promise<AttributesWithParent | undefined> {
    const { pendingSafe, unsafe } = this.#options.engine.heads();
    const before = this.#started;
    this.#started = undefined;
    const started =
      before?.attributes === derived.attributes && unsafe.hash === before.parent.hash ? before : undefined;
    if (derived.parent.hash !== pendingSafe.hash) {
      this.#confirm(pendingSafe);
      return undefined;
    }
    if (pendingSafe.number < unsafe.number && (await this.#consolidate(derived))) return undefined;
    try {
      await this.#build(derived, started);
      return undefined;
    } catch (error) {
      if (!isEngineError(error, 'attributes', 'invalid')) throw error;
      if (this.#executing) {
        this.#carefulUntil = derived.parent.number + 1;
        throw new DerivationError('reset', `the engine refuses the block that it built itself: ${error.message}`);
      }
      return this.#replacement(derived, error);
    }
  }

  /**
   * Compares derived attributes with the unsafe block at their height, and promotes it if they are equal.
   * Counterpart in op-node: `consolidateNextSafeAttributes`, in kona: `ConsolidateTask`.
   */
  async #consolidate(derived: AttributesWithParent): Promise<boolean> {
    const { client, engine, rollup, log, takeFinal } = this.#options;
    const { pendingSafe, unsafe } = engine.heads();
    const number = pendingSafe.number + 1;
    const envelope = await client.payloadBelow(unsafe.hash, number);
    if (envelope === null)
      throw new DerivationError('reset', `the engine lost block ${number} below its head ${unsafe.number}`);
    const differences = attributesMatchBlock(rollup, derived, envelope);
    if (differences.length === 0) {
      const ref = blockRefOf(rollup, envelope.executionPayload);
      await engine.promoteSafe(ref, derived.concluding, derived.concluding ? takeFinal() : undefined);
      this.#onPendingSafe(derived, ref);
      return true;
    }
    log.warn('an unsafe block is not what L1 says; it is replaced', {
      block: number,
      hash: envelope.executionPayload.blockHash,
      differences: differences.map(({ field, derived, block }) => `${field}: derived ${derived}, block ${block}`),
    });
    return false;
  }

  /** Builds the block of derived attributes and makes it safe (op-node: `onBuildStart`, `onBuildSealed`). */
  async #build(derived: AttributesWithParent, started: Build | undefined): Promise<void> {
    const { engine, rollup, log } = this.#options;
    const current = started ?? (await engine.startBuild(derived.parent, derived.attributes));
    const envelope = await engine.seal(current);
    const ref = blockRefOf(rollup, envelope.executionPayload);
    if (ref.number > this.#carefulUntil) this.#deriveUpon(envelope, ref);
    await engine.execute(envelope);
    this.#started = await engine.adoptSafe(ref, derived.concluding, this.#attributesUpon(ref));
    this.#onPendingSafe(derived, ref);
    log.debug('derived a block', { number: ref.number, hash: ref.hash, l1: derived.derivedFrom.number });
  }

  #onPendingSafe({ concluding, derivedFrom }: AttributesWithParent, ref: L2BlockRef): void {
    this.#confirm(ref);
    if (concluding) this.#options.onSafe(derivedFrom, ref);
  }

  /** Derives the attributes after a block that the engine is going to execute. */
  #deriveUpon(envelope: ExecutionPayloadEnvelope, ref: L2BlockRef): void {
    if (this.#executing?.ref.hash === ref.hash) return;
    this.#requireSame(ref);
    this.#executing = { envelope, ref };
    // The request to the engine goes out first.
    this.#job.start(() => nextTurn().then(() => this.pipeline.next(ref)));
  }

  /** Returns the attributes after a block, if they are derived already. `take` can still take them. */
  #attributesUpon(ref: L2BlockRef) {
    const settled = this.#job.peek();
    if (!settled?.ok || settled.value.kind !== 'attributes') return undefined;
    const { parent, attributes } = settled.value.attributes;
    return parent.hash === ref.hash ? attributes : undefined;
  }

  /** The block is the (pending) safe head now. @throws DerivationError reset if the pipeline ran on another one */
  #confirm(ref: L2BlockRef): void {
    this.#requireSame(ref);
    this.#executing = undefined;
  }

  #requireSame({ hash }: L2BlockRef): void {
    const { ref } = this.#executing ?? {};
    if (ref && ref.hash !== hash)
      throw new DerivationError('reset', `derivation looked past block ${ref.number} (${ref.hash}), now it is ${hash}`);
  }

  /**
   * Returns the attributes to apply after the engine rejected derived ones (op-node: `onBuildInvalid`).
   * Either the same with deposits only, or none: the batch is dropped. @throws Error if deposits alone were rejected
   */
  #replacement(derived: AttributesWithParent, error: Error): AttributesWithParent | undefined {
    const { engine, log } = this.#options;
    const outcome = this.pipeline.payloadInvalid(derived);
    const block = derived.parent.number + 1;
    switch (outcome.kind) {
      case 'fatal':
        throw new Error(outcome.error.message, { cause: error });
      case 'dropped':
        engine.dropPending();
        log.warn('a derived block is invalid; its batch is dropped', { block, error });
        return undefined;
      case 'deposits-only':
        log.warn('a derived block is invalid; its deposits are kept', { block, error });
        return outcome.attributes;
    }
  }
}

/** Returns the engine's chain with the block on top of it that the engine is executing. */
function chainOn(client: L2Chain, executing: () => ExecutionPayloadEnvelope | undefined): L2Chain {
  return {
    async payloadByHash(hash) {
      const envelope = executing();
      return envelope?.executionPayload.blockHash === hash ? envelope : client.payloadByHash(hash);
    },
    async payloadByNumber(number) {
      const envelope = executing();
      return envelope?.executionPayload.blockNumber === number ? envelope : client.payloadByNumber(number);
    },
  };
}
