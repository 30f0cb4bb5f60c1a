import { setImmediate as nextTurn } from 'node:timers/promises';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { ActionableOutcome, AttributesWithParent, Pipeline } from '../../../protocol/derivation/pipeline.ts';
import type { L2Chain } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, L2BlockRef } from '../../../protocol/types.ts';
import { type BackgroundJob, backgroundJob, type Settled } from './background-job.ts';

/** The engine's chain as the pipeline reads it, and upon it the block that the engine is about to take. */
export interface LookaheadChain extends L2Chain {
  /** undefined: the engine's chain alone. */
  setNext(envelope: ExecutionPayloadEnvelope | undefined): void;
}

/** The chain of an engine, with nothing foreseen. */
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

/** The pipeline at work beside the loop: upon the (pending) safe head, or already upon the block that the engine is about to make that. */
export interface Lookahead {
  readonly isRunning: boolean;
  /** Whether it looked past a block that is not the head yet. */
  readonly isAhead: boolean;
  /** Looks for what comes after the head. */
  start(head: L2BlockRef): void;
  /** Looks for what comes after a block that the engine has still to take, while it does. @throws DerivationError reset where it looked upon another already */
  startAhead(envelope: ExecutionPayloadEnvelope, ref: L2BlockRef): void;
  /** Attributes upon the block, where they are there already. They stay to be taken. */
  following(ref: L2BlockRef): AttributesWithParent | undefined;
  /** A block is the (pending) safe head now: what was found upon it holds. @throws DerivationError reset where it was looked for upon another */
  confirm(ref: L2BlockRef): void;
  /** What was found, once, and only upon a head. */
  take(): Settled<ActionableOutcome> | undefined;
  /** Resolves when nothing runs; what was found is thrown away. */
  discard(): Promise<void>;
}

/** `onSettled` is called when something was found. */
export function lookahead(pipeline: Pipeline, chain: LookaheadChain, onSettled: () => void): Lookahead {
  const job: BackgroundJob<ActionableOutcome> = backgroundJob(onSettled);
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
      // The engine's request goes out first.
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
    async discard() {
      await job.discard();
      upon = undefined;
      chain.setNext(undefined);
    },
  };
}
