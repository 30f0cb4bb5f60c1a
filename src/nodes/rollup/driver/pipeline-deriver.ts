import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ActionableOutcome, AttributesWithParent, Pipeline } from '../../../protocol/derivation/pipeline.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import { backoff } from '../../../system/backoff.ts';
import type { Clock } from '../../../system/clock.ts';
import type { Logger } from '../../../system/log.ts';
import type { EngineClient } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { attributesHandler } from './attributes-handler.ts';
import { type LookaheadChain, lookahead } from './lookahead.ts';
import type { Deriver, NextStep } from './loop.ts';

export interface PipelineDeriverOptions {
  readonly rollup: Rollup;
  readonly pipeline: Pipeline;
  readonly engine: EngineController;
  readonly client: EngineClient;
  /** The engine's chain as the pipeline reads it. */
  readonly chain: LookaheadChain;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wake: () => void;
  /** Derivation pauses, or (`isReorg`) starts over because L1 is another. */
  readonly onFailure: (isReorg: boolean) => void;
  /** Asks for the heads to be found anew, with the reason. */
  readonly requestReset: (reason: string) => void;
  /** Called when a block became safe. */
  readonly onSafe: (derivedFrom: L1BlockRef, head: L2BlockRef) => void;
  /** Called when all L1 data up to `origin` was read, and left `head` as the safe head. */
  readonly onExhausted: (origin: L1BlockRef, head: L2BlockRef) => void;
}

/** The part of the driver that turns L1 data into safe blocks. */
export interface PipelineDeriver extends Deriver {
  /** L1 has a new head: look again. */
  onL1Head(): void;
  /** The heads are being found anew: it stands nowhere until `reset`. Told before the safe head goes back, so that a batcher does not take what it posted for lost. */
  suspend(): void;
  /** Starts over behind the new heads. */
  reset(safe: L2BlockRef): Promise<void>;
  /** The L1 block that derivation stands at; undefined while the heads are being found. */
  origin(): L1BlockRef | undefined;
}

/**
 * The pipeline runs beside the loop; what it derives is built or consolidated in steps of the loop. While the engine executes a block that it built, the
 * pipeline goes on upon that block already, so that the next build can begin with the call that makes the block the head.
 */
export function pipelineDeriver(options: PipelineDeriverOptions): PipelineDeriver {
  const { pipeline, engine, clock, log } = options;
  const ahead = lookahead(pipeline, options.chain, options.wake);
  const blocks = attributesHandler(options, ahead);
  const pauses = backoff(50, 2000);
  let pending: AttributesWithParent | undefined;
  let isExhausted = false;
  let isReady = false;
  let nudges = 0;
  let nudgesSeen = 0;
  let notBefore = 0;

  function retry(error: Error): NextStep {
    if (pauses.failures === 0) log.warn('derivation pauses', { error });
    options.onFailure(false);
    notBefore = clock.now() + pauses.next();
    return notBefore;
  }

  function settle(outcome: ActionableOutcome): NextStep {
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
        options.onFailure(true);
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
      const settled = pending ? undefined : ahead.take();
      if (settled) {
        if (!settled.ok) return retry(settled.error);
        const next = settle(settled.value);
        if (next !== 'again') return next;
      }
      if (pending) {
        try {
          // What replaces a refused block is applied in the same step: no other part builds upon its parent in between.
          while (pending) pending = await blocks.apply(pending);
          pauses.succeeded();
          return 'again';
        } catch (error) {
          if (isEngineError(error, 'temporary', 'syncing', 'unauthorized', 'unknown-payload')) return retry(error);
          if (!isEngineError(error, 'forkchoice') && !isReset(error)) throw error;
          isReady = false;
          options.requestReset(error instanceof Error ? error.message : String(error));
          return 'again';
        }
      }
      if (ahead.isRunning || isExhausted || !isReady) return null;
      nudgesSeen = nudges;
      ahead.start(engine.heads().pendingSafe);
      return null;
    },
    onL1Head() {
      nudges++;
      isExhausted = false;
      notBefore = 0;
      options.wake();
    },
    suspend() {
      isReady = false;
    },
    async reset(safe) {
      isReady = false;
      await ahead.discard();
      blocks.reset();
      pending = undefined;
      isExhausted = false;
      notBefore = 0;
      await pipeline.reset(safe);
      isReady = true;
    },
    origin() {
      if (!isReady) return undefined;
      // Past this one nothing was applied yet, wherever the pipeline looks.
      return pending ? pending.derivedFrom : pipeline.origin();
    },
  };
}

function isReset(error: unknown): boolean {
  return error instanceof DerivationError && error.handling === 'reset';
}
