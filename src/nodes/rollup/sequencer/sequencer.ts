import { prepareSequencerAttributes } from '../../../protocol/derivation/attributes/attributes.ts';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { L1Chain, L2Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex, L2BlockRef, PayloadAttributes } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { Build, EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { backgroundJob } from '../loop/background-job.ts';
import type { Deriver, NextStep } from '../loop/loop.ts';
import { retryTimer } from '../loop/retry-timer.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { currentOrigin, findL1Origin } from './origin-selector.ts';

/** Settings of the sequencer, and the parts that it works with. */
export interface SequencerOptions {
  readonly rollup: Rollup;
  /** L1 up to the confirmation depth of origins. */
  readonly l1: L1Chain;
  readonly l2: L2Chain;
  readonly engine: EngineController;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wake: () => void;
  /** Commits a sealed block to the conductor before it is published; undefined without a conductor. */
  readonly commit: ((envelope: ExecutionPayloadEnvelope) => Promise<void>) | undefined;
  /** Publishes a sealed block, before this node's own engine executes it. */
  readonly publish: (envelope: ExecutionPayloadEnvelope) => void;
  readonly meter: Pick<Metricer, 'recordSequencerTimes' | 'recordFailure'>;
  readonly requestReset: (reason: string) => void;
  /** Blocks between the safe and the unsafe head at which sequencing pauses; 0: no limit. */
  readonly maxSafeLag: number;
  readonly isRecovering: boolean;
  readonly isActive: boolean;
}

/** The deriver that makes blocks (op-node: `SequencerIface`). */
export interface Sequencer extends Deriver {
  readonly isActive: boolean;
  /** A published block is not inserted into this node's own engine yet. */
  readonly isInserting: boolean;
  start(): void;
  /** Recovery mode: empty blocks, each on the next L1 origin. */
  setRecovering(isRecovering: boolean): void;
  /** Stops sequencing and drops the block under construction. */
  stop(): void;
  /** Drops the block under construction: the heads have moved. */
  reset(): void;
  /** Returns a function that restores the present state. The block under construction is begun anew. */
  remember(): () => void;
}

interface Prepared {
  readonly parent: L2BlockRef;
  /** null: L1 must have another block first. */
  readonly attributes: PayloadAttributes | null;
}

/**
 * Creates the deriver that makes blocks (op-node: `Sequencer`, kona: `SequencerActor`).
 * It starts a block as soon as its parent is the head, and seals it when the network clock reaches its timestamp.
 * A sequencer that is behind seals at once, so that it catches up as fast as the engine builds.
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  const { engine, clock, log } = options;
  const preparing = backgroundJob<Prepared>(options.wake, clock.activity());
  const retries = retryTimer(clock, 20, 1000);
  let isActive = options.isActive;
  let build: Build | undefined;
  /** Monotonic milliseconds. */
  let buildingSince = 0;
  let sealed: ExecutionPayloadEnvelope | undefined;
  let isPublished = false;
  let isRecovering = options.isRecovering;
  /** The reason of the current wait, logged once. */
  let waitsFor: 'L1' | 'safe head' | undefined;

  function waitFor(what: 'L1' | 'safe head', message: string, head: L2BlockRef): void {
    if (waitsFor !== what) log.warn(message, { head: head.number, origin: head.l1origin.number });
    waitsFor = what;
  }

  function retry(error: Error): NextStep {
    if (retries.failures === 0) log.warn('no block for now', { error });
    return retries.failed();
  }

  /** @throws DerivationError fatal: L1 data that no node can derive from */
  function failed(error: unknown): NextStep {
    build = undefined;
    if (error instanceof DerivationError && error.handling === 'fatal') throw error;
    const isReorg = error instanceof DerivationError && error.handling === 'reset';
    options.meter.recordFailure('sequencing', isReorg);
    if (isReorg || isEngineError(error, 'forkchoice')) {
      // Counted as a failure: the next attempt waits longer where the new heads have the same fault.
      retries.failed();
      options.requestReset(error.message);
      return 'again';
    }
    return retry(asError(error));
  }

  /** Prepares attributes in the background, then starts the build on `head` (op-node: `startBuildingBlock`). */
  async function startBuildingBlock(head: L2BlockRef): Promise<NextStep> {
    const prepared = preparing.take();
    if (!prepared) {
      if (!preparing.isRunning) preparing.start(() => prepare(options, head, isRecovering));
      return null;
    }
    if (!prepared.ok) return failed(prepared.error);
    if (prepared.value.parent.hash !== head.hash) return 'again';
    if (prepared.value.attributes === null) {
      waitFor('L1', isRecovering ? 'recovering: waiting for L1' : 'past the sequencer drift: waiting for L1', head);
      return clock.now() + 1000;
    }
    waitsFor = undefined;
    buildingSince = performance.now();
    build = await engine.startBuild(head, prepared.value.attributes);
    return 'again';
  }

  /** Seals a block when its timestamp is reached (op-node: `onBuildSealed`, kona: `SealTask`). */
  async function seal(current: Build): Promise<NextStep> {
    const due = Number(current.attributes.timestamp) * 1000;
    if (due > clock.now()) return due;
    build = undefined;
    const from = performance.now();
    sealed = await engine.seal(current);
    const now = performance.now();
    options.meter.recordSequencerTimes((now - buildingSince) / 1000, (now - from) / 1000);
    isPublished = false;
    return publish(sealed);
  }

  /** Publishes a sealed block. One that the conductor does not commit waits: no peer has it. */
  async function publish(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    try {
      await options.commit?.(envelope);
    } catch (error) {
      return retry(new Error('cannot commit the block to the conductor', { cause: error }));
    }
    isPublished = true;
    options.publish(envelope);
    return insert(envelope);
  }

  /** Tells whether a block may be built on this one (op-node: `SequencerMaxSafeLag`): the safe head is near enough. */
  const mayBuildOn = ({ number }: L2BlockRef) =>
    options.maxSafeLag === 0 || number - engine.heads().safe.number < options.maxSafeLag;

  /** Takes the attributes after the block being inserted, where they are prepared. Others are prepared anew later. */
  function takePrepared(parent: L2BlockRef): PayloadAttributes | undefined {
    const prepared = preparing.take();
    if (!prepared?.ok || prepared.value.parent.hash !== parent.hash) return undefined;
    return prepared.value.attributes ?? undefined;
  }

  /**
   * Inserts a published block. It retries while the engine does not answer, so that no second block of its height is
   * made. The next block is prepared meanwhile, and begun by the call that makes this one the head.
   */
  async function insert(envelope: ExecutionPayloadEnvelope): Promise<NextStep> {
    try {
      const ref = blockRefOf(options.rollup, envelope.executionPayload);
      if (mayBuildOn(ref)) preparing.start(() => prepare(options, ref, isRecovering));
      await engine.execute(envelope);
      const next = takePrepared(ref);
      buildingSince = performance.now();
      build = await engine.adoptUnsafe(ref, next);
      const { gasUsed, transactions, blockHash } = envelope.executionPayload;
      log.info('sequenced a block', {
        number: ref.number,
        hash: blockHash,
        origin: ref.l1origin.number,
        transactions: transactions.length,
        gasUsed,
      });
    } catch (error) {
      if (isEngineError(error, 'temporary', 'unauthorized')) return retry(error);
      sealed = undefined;
      throw error;
    }
    sealed = undefined;
    retries.succeeded();
    return 'again';
  }

  function reset(): void {
    build = undefined;
    sealed = undefined;
    preparing.cancel();
  }

  return {
    name: 'sequencer',
    get isActive() {
      return isActive;
    },
    get isInserting() {
      return sealed !== undefined && isPublished;
    },
    async step() {
      if (!isActive || !engine.isReady) return null;
      const waiting = retries.waiting();
      if (waiting) return waiting;
      const { unsafe, safe } = engine.heads();
      if (build && build.parent.hash !== unsafe.hash) build = undefined;
      if (sealed && sealed.executionPayload.parentHash !== unsafe.hash) sealed = undefined;
      try {
        if (sealed) return await (isPublished ? insert(sealed) : publish(sealed));
        if (build) return await seal(build);
        if (!mayBuildOn(unsafe)) {
          waitFor('safe head', `${unsafe.number - safe.number} blocks past the safe head: waiting for it`, unsafe);
          return null;
        }
        const headTime = unsafe.timestamp * 1000;
        if (headTime > clock.now()) return headTime;
        return await startBuildingBlock(unsafe);
      } catch (error) {
        return failed(error);
      }
    },
    start() {
      isActive = true;
      options.wake();
    },
    setRecovering(now) {
      if (now === isRecovering) return;
      isRecovering = now;
      build = undefined;
      preparing.cancel();
      log.warn(now ? 'recovering: blocks are empty' : 'not recovering any more');
      options.wake();
    },
    stop() {
      isActive = false;
      build = undefined;
      sealed = undefined;
      preparing.cancel();
    },
    reset,
    remember() {
      const before = { isActive, isRecovering };
      return () => {
        reset();
        retries.clear();
        waitsFor = undefined;
        ({ isActive, isRecovering } = before);
      };
    },
  };
}

/** Prepares the attributes of the next block (op-node: `PreparePayloadAttributes`). */
async function prepare(options: SequencerOptions, parent: L2BlockRef, isRecovering: boolean): Promise<Prepared> {
  const { rollup, l1 } = options;
  const origin = await findL1Origin(rollup, l1, parent, isRecovering);
  if (origin === null) return { parent, attributes: null };
  try {
    return await prepareUpon(options, parent, origin, isRecovering);
  } catch (error) {
    // L1 announced its next block and does not return its receipts: blocks stay on the current origin while the drift
    // allows.
    const isL1Away = !(error instanceof DerivationError) || error.handling === 'retry';
    const current = isRecovering || !isL1Away ? null : await currentOrigin(rollup, l1, parent);
    if (current === null || current.hash === origin.hash) throw error;
    options.log.warn('L1 does not answer for the next origin: the current one stays', { origin: origin.number, error });
    return prepareUpon(options, parent, current, isRecovering);
  }
}

async function prepareUpon(
  { rollup, l1, l2 }: SequencerOptions,
  parent: L2BlockRef,
  origin: BlockId,
  isRecovering: boolean,
): Promise<Prepared> {
  const attributes = await prepareSequencerAttributes(rollup, l1, l2, parent, origin);
  return { parent, attributes: isRecovering ? { ...attributes, noTxPool: true } : attributes };
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
