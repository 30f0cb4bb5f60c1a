import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ActionableOutcome } from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { isEngineError } from '../engine/error.ts';
import type { Deriver, NextStep } from '../loop/loop.ts';
import { retryTimer } from '../loop/retry-timer.ts';
import { AttributesHandler, type AttributesHandlerOptions } from './attributes-handler.ts';

/** The parts that the deriver and its handler of attributes work with. */
export interface PipelineDeriverOptions extends AttributesHandlerOptions {
  readonly clock: Clock;
  /** Derivation pauses, or starts over after a reorganisation of L1 (`isReorg`). */
  readonly onFailure: (isReorg: boolean) => void;
  /** Requests an engine reset, with the reason. */
  readonly requestReset: (reason: string) => void;
  /** Called when the L1 data up to `origin` is exhausted, with the safe head. */
  readonly onExhausted: (origin: L1BlockRef, head: L2BlockRef) => void;
}

/** Derives safe blocks from L1 data (op-node: `PipelineDeriver`, `SyncDeriver`; kona: `DerivationActor`). */
export interface PipelineDeriver extends Deriver {
  /** Continues with a new L1 head. */
  onL1Head(): void;
  /**
   * Stops derivation until `reset`. Called before the safe head moves back, so that a batcher waits instead of posting
   * its blocks again.
   */
  suspend(): void;
  /** Starts over after the new safe head. */
  reset(safe: L2BlockRef): Promise<void>;
  /** Resolves when the pipeline makes no request. */
  idle(): Promise<void>;
  /**
   * Returns a function that starts over after the present safe head.
   * The function sends no request to L1 or the engine.
   */
  remember(safe: L2BlockRef): Promise<() => Promise<void>>;
  /** True where derivation has used all L1 data up to its head (op-node: `DeriverIdleEvent`). */
  readonly isExhausted: boolean;
  /** The L1 block that derivation has reached; undefined during an engine reset. */
  origin(): L1BlockRef | undefined;
}

/** Blocks by which the safe head trails the unsafe head before derivation takes longer turns. */
const BEHIND = 16;

/** Wall time (ms) of such a turn. It delays the sequencer's next block. */
const TURN = 20;

/**
 * Creates the deriver. The pipeline runs in the background; its attributes are built or consolidated in steps of the
 * event loop.
 * While the engine executes a block, the pipeline already derives the next one, whose build then starts with the same
 * forkchoice call.
 */
export function pipelineDeriver(options: PipelineDeriverOptions): PipelineDeriver {
  const { engine, clock, log } = options;
  const handler = new AttributesHandler(options, clock.activity());
  const { pipeline } = handler;
  const retries = retryTimer(clock, 50, 2000);
  let isExhausted = false;
  let isReady = false;
  let nudges = 0;
  let nudgesSeen = 0;

  function retry(error: Error): NextStep {
    if (retries.failures === 0) log.warn('derivation pauses', { error });
    options.onFailure(false);
    return retries.failed();
  }

  function settle(outcome: ActionableOutcome): NextStep {
    switch (outcome.kind) {
      case 'attributes':
        return 'again';
      case 'eof':
        retries.succeeded();
        // L1 may have a new head since the pipeline started.
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

  async function clear(): Promise<void> {
    isReady = false;
    await handler.clear();
    isExhausted = false;
    retries.clear();
  }

  const isBehind = () => isReady && engine.heads().unsafe.number - engine.heads().pendingSafe.number > BEHIND;

  /** Applies the next attributes, or starts the pipeline. */
  async function advance(): Promise<NextStep> {
    if (!isReady) return null;
    const waiting = retries.waiting();
    if (waiting) return waiting;
    const settled = handler.take();
    if (settled) {
      if (!settled.ok) return retry(settled.error);
      const next = settle(settled.value);
      if (next !== 'again') return next;
    }
    if (handler.pending) {
      try {
        await handler.apply();
        retries.succeeded();
        return 'again';
      } catch (error) {
        if (isEngineError(error, 'temporary', 'syncing', 'unauthorized', 'unknown-payload')) return retry(error);
        if (!isEngineError(error, 'forkchoice') && !isReset(error)) throw error;
        isReady = false;
        options.requestReset(error instanceof Error ? error.message : String(error));
        return 'again';
      }
    }
    if (handler.isRunning || isExhausted || !isReady) return null;
    nudgesSeen = nudges;
    handler.derive();
    return null;
  }

  return {
    name: 'derivation',
    get isExhausted() {
      return isReady && isExhausted && handler.pending === undefined;
    },
    async step() {
      const until = clock.elapsed() + TURN;
      let next = await advance();
      // A sequencer that catches up with the clock acts in every turn of the loop, and makes a whole block in each.
      while (isBehind() && clock.elapsed() < until) {
        if (next === null && !isExhausted) await handler.ended(until - clock.elapsed());
        else if (next !== 'again') break;
        next = await advance();
      }
      return next;
    },
    onL1Head() {
      nudges++;
      isExhausted = false;
      retries.clear();
      options.wake();
    },
    suspend() {
      isReady = false;
    },
    async reset(safe) {
      await clear();
      await pipeline.reset(safe);
      isReady = true;
    },
    idle: () => handler.idle(),
    async remember(safe) {
      const start = await pipeline.startOf(safe);
      return async () => {
        await clear();
        pipeline.resetTo(start);
        isReady = true;
      };
    },
    origin() {
      if (!isReady) return undefined;
      // The pipeline may be ahead of the attributes that are not applied yet.
      return handler.pending ? handler.pending.derivedFrom : pipeline.origin();
    },
  };
}

function isReset(error: unknown): boolean {
  return error instanceof DerivationError && error.handling === 'reset';
}
