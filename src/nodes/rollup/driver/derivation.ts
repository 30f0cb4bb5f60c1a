import { blockRefOf } from '../../../protocol/derivation/block-ref.ts';
import { consolidate } from '../../../protocol/derivation/consolidate.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ActionableOutcome, AttributesWithParent, Pipeline } from '../../../protocol/derivation/pipeline.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Clock } from '../../../system/clock.ts';
import type { Logger } from '../../../system/log.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { aside } from './aside.ts';
import { backoff } from './backoff.ts';
import type { Next, Part } from './loop.ts';

export interface DerivationOptions {
  readonly rollup: Rollup;
  readonly pipeline: Pipeline;
  readonly engine: EngineController;
  readonly client: EngineClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wake: () => void;
  /** Asks for the heads to be found anew, with the reason. */
  readonly requestReset: (reason: string) => void;
  /** Called when a block became safe. */
  readonly onSafe: (derivedFrom: L1BlockRef, head: L2BlockRef) => void;
  /** Called when all L1 data up to `origin` was read, and left `head` as the safe head. */
  readonly onExhausted: (origin: L1BlockRef, head: L2BlockRef) => void;
}

/** The part of the driver that turns L1 data into safe blocks. */
export interface DerivationPart extends Part {
  /** L1 has a new head: look again. */
  nudge(): void;
  /** Starts over behind the new heads. */
  reset(safe: L2BlockRef): Promise<void>;
  /** The L1 block that derivation stands at. */
  origin(): L1BlockRef | undefined;
}

/** The pipeline runs beside the loop; what it derives is built or consolidated in steps of the loop. */
export function derivationPart(options: DerivationOptions): DerivationPart {
  const { pipeline, engine, clock, log } = options;
  const job = aside<ActionableOutcome>(options.wake);
  const pauses = backoff(50, 2000);
  let pending: AttributesWithParent | undefined;
  let isExhausted = false;
  let isReady = false;
  let nudges = 0;
  let nudgesSeen = 0;
  let notBefore = 0;

  function retry(error: Error): Next {
    if (pauses.failures === 0) log.warn('derivation pauses', { error });
    notBefore = clock.now() + pauses.next();
    return notBefore;
  }

  function settle(outcome: ActionableOutcome): Next {
    switch (outcome.kind) {
      case 'attributes':
        pending = outcome.attributes;
        return 'again';
      case 'eof':
        pauses.succeeded();
        // L1 may have grown while the pipeline was looking.
        isExhausted = nudgesSeen === nudges;
        options.onExhausted(pipeline.origin(), engine.heads().safe);
        return isExhausted ? null : 'again';
      case 'retry':
        return retry(outcome.error);
      case 'reset':
        isReady = false;
        options.requestReset(outcome.error.message);
        return 'again';
      case 'fatal':
        throw outcome.error;
    }
  }

  return {
    name: 'derivation',
    async step() {
      if (!isReady) return null;
      if (notBefore > clock.now()) return notBefore;
      const settled = job.take();
      if (settled) {
        if (!settled.ok) return retry(settled.error);
        const next = settle(settled.value);
        if (next !== 'again') return next;
      }
      if (pending) {
        const attributes = pending;
        try {
          pending = await apply(options, attributes);
          pauses.succeeded();
          return 'again';
        } catch (error) {
          if (isEngineError(error, 'temporary', 'syncing', 'unauthorized', 'unknown-payload')) return retry(error);
          if (!isEngineError(error, 'forkchoice') && !isReset(error)) throw error;
          isReady = false;
          pending = undefined;
          options.requestReset(error instanceof Error ? error.message : String(error));
          return 'again';
        }
      }
      if (job.isRunning || isExhausted || !isReady) return null;
      const { pendingSafe } = engine.heads();
      nudgesSeen = nudges;
      job.start(() => pipeline.next(pendingSafe));
      return null;
    },
    nudge() {
      nudges++;
      isExhausted = false;
      notBefore = 0;
      options.wake();
    },
    async reset(safe) {
      isReady = false;
      await job.discard();
      pending = undefined;
      isExhausted = false;
      notBefore = 0;
      await pipeline.reset(safe);
      isReady = true;
    },
    origin() {
      try {
        return pipeline.origin();
      } catch {
        return undefined;
      }
    },
  };
}

function isReset(error: unknown): boolean {
  return error instanceof DerivationError && error.handling === 'reset';
}

/** Makes derived attributes the (pending) safe head. Returns attributes to try instead where the engine refused these. */
async function apply(
  options: DerivationOptions,
  derived: AttributesWithParent,
): Promise<AttributesWithParent | undefined> {
  const { engine, client, rollup, log } = options;
  const { pendingSafe, unsafe } = engine.heads();
  if (derived.parent.hash !== pendingSafe.hash) return undefined;
  if (pendingSafe.number < unsafe.number) {
    const envelope = await client.payloadByNumber(pendingSafe.number + 1);
    if (envelope === null)
      throw new DerivationError(
        'reset',
        `the engine lost block ${pendingSafe.number + 1} below its head ${unsafe.number}`,
      );
    const differences = consolidate(rollup, derived, envelope);
    if (differences.length === 0) {
      const ref = blockRefOf(rollup, envelope.executionPayload);
      await engine.promoteSafe(ref, derived.concluding);
      if (derived.concluding) options.onSafe(derived.derivedFrom, ref);
      return undefined;
    }
    log.warn('an unsafe block is not what L1 says; it is replaced', {
      block: pendingSafe.number + 1,
      hash: envelope.executionPayload.blockHash,
      differences: differences.map(({ field, derived, block }) => `${field}: derived ${derived}, block ${block}`),
    });
  }
  try {
    const build = await engine.startBuild(derived.parent, derived.attributes);
    const envelope = await engine.seal(build);
    const ref = await engine.insertSafe(envelope, derived.concluding);
    if (derived.concluding) options.onSafe(derived.derivedFrom, ref);
    log.debug('derived a block', { number: ref.number, hash: ref.hash, l1: derived.derivedFrom.number });
    return undefined;
  } catch (error) {
    if (!isEngineError(error, 'attributes', 'invalid')) throw error;
    return replaced(options, derived, error);
  }
}

/** What to try after the engine refused derived attributes: the same with deposits only, or nothing (the batch is dropped). @throws where even that was refused */
function replaced(
  options: DerivationOptions,
  derived: AttributesWithParent,
  error: Error,
): AttributesWithParent | undefined {
  const instead = options.pipeline.payloadInvalid(derived);
  const block = derived.parent.number + 1;
  switch (instead.kind) {
    case 'fatal':
      throw new Error(instead.error.message, { cause: error });
    case 'dropped':
      options.engine.dropPending();
      options.log.warn('a derived block is invalid; its batch is dropped', { block, error });
      return undefined;
    case 'deposits-only':
      options.log.warn('a derived block is invalid; its deposits are kept', { block, error });
      return instead.attributes;
  }
}
