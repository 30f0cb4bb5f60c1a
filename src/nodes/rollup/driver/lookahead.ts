import { setImmediate as nextTurn } from 'node:timers/promises';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type {
  ActionableOutcome,
  AttributesWithParent,
  Pipeline,
} from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { L2Chain } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, L2BlockRef } from '../../../protocol/types.ts';
import type { Activity } from '../../../system/time/clock.ts';
import { type BackgroundJob, backgroundJob, type Settled } from '../loop/background-job.ts';

/** The engine's chain as the pipeline reads it, with the block that the engine is still executing. */
export interface LookaheadChain extends L2Chain {
  /** Sets the block on top of the engine's chain; undefined: none. */
  setNext(envelope: ExecutionPayloadEnvelope | undefined): void;
}

/** Creates the chain without such a block. */
export function lookaheadChain(engine: L2Chain): LookaheadChain {
  let foreseen: ExecutionPayloadEnvelope | undefined;
  return {
    setNext(envelope) {
      foreseen = envelope;
    },
    payloadByHash: async (hash) =>
      foreseen?.executionPayload.blockHash === hash ? foreseen : engine.payloadByHash(hash),
    payloadByNumber: async (number) =>
      foreseen?.executionPayload.blockNumber === number ? foreseen : engine.payloadByNumber(number),
  };
}

/** Runs the pipeline in the background: on the (pending) safe head, or on the block that the engine is executing. */
export interface Lookahead {
  readonly isRunning: boolean;
  /** Tells whether it runs on a block that is not the head yet. */
  readonly isAhead: boolean;
  /** Derives the block after the head. */
  start(head: L2BlockRef): void;
  /**
   * Derives the block after one that the engine is executing.
   * @throws DerivationError reset where it already runs on another block
   */
  startAhead(envelope: ExecutionPayloadEnvelope, ref: L2BlockRef): void;
  /** Returns the attributes after a block, where they are derived already. They can still be taken. */
  following(ref: L2BlockRef): AttributesWithParent | undefined;
  /**
   * Records that the block became the (pending) safe head.
   * @throws DerivationError reset where the pipeline ran on another block
   */
  confirm(ref: L2BlockRef): void;
  /** Takes the result once, and only where it belongs to a head. */
  take(): Settled<ActionableOutcome> | undefined;
  /** Resolves when the running job ends, at most `ms` of wall time later. */
  ended(ms: number): Promise<void>;
  /** Waits for the running job and drops its result. */
  discard(): Promise<void>;
}

/** Creates the lookahead. `onSettled` is called with each result. */
export function lookahead(
  pipeline: Pipeline,
  chain: LookaheadChain,
  onSettled: () => void,
  activity: Activity,
): Lookahead {
  const job: BackgroundJob<ActionableOutcome> = backgroundJob(onSettled, activity);
  let upon: L2BlockRef | undefined;

  function requireSame(ref: L2BlockRef): void {
    if (upon && upon.hash !== ref.hash)
      throw new DerivationError(
        'reset',
        `derivation looked past block ${upon.number} (${upon.hash}), now it is ${ref.hash}`,
      );
  }

  return {
    get isRunning() {
      return job.isRunning;
    },
    get isAhead() {
      return upon !== undefined;
    },
    start: (head) => job.start(() => pipeline.next(head)),
    startAhead(envelope, ref) {
      if (upon?.hash === ref.hash) return;
      requireSame(ref);
      upon = ref;
      chain.setNext(envelope);
      // The request to the engine goes out first.
      job.start(() => nextTurn().then(() => pipeline.next(ref)));
    },
    following(ref) {
      const found = job.peek();
      if (!found?.ok || found.value.kind !== 'attributes') return undefined;
      const { attributes } = found.value;
      return attributes.parent.hash === ref.hash ? attributes : undefined;
    },
    confirm(ref) {
      requireSame(ref);
      upon = undefined;
      chain.setNext(undefined);
    },
    take: () => (upon === undefined ? job.take() : undefined),
    ended: (ms) => job.ended(ms),
    async discard() {
      await job.discard();
      upon = undefined;
      chain.setNext(undefined);
    },
  };
}
