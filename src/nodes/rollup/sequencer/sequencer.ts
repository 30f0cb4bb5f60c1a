import { prepareSequencerAttributes } from '../../../protocol/derivation/attributes.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { L1Chain, L2Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef, PayloadAttributes } from '../../../protocol/types.ts';
import type { Clock } from '../../../system/clock.ts';
import type { Logger } from '../../../system/log.ts';
import { aside } from '../driver/aside.ts';
import { backoff } from '../driver/backoff.ts';
import type { Next, Part } from '../driver/loop.ts';
import type { Build, EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import { chooseOrigin } from './origin.ts';

export interface SequencerOptions {
  readonly rollup: Rollup;
  /** L1 as far as origins may be chosen from it: confirmation depth included. */
  readonly l1: L1Chain;
  readonly l2: L2Chain;
  readonly engine: EngineController;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wake: () => void;
  /** Takes each sealed block, before this node's own engine executes it. */
  readonly publish: (envelope: ExecutionPayloadEnvelope) => void;
  readonly requestReset: (reason: string) => void;
  /** Blocks between the safe and the unsafe head past which no block is made; 0: no bound. */
  readonly maxSafeLag: number;
  readonly isRecovering: boolean;
  readonly isActive: boolean;
}

export interface Sequencer extends Part {
  readonly isActive: boolean;
  start(): void;
  /** No further block is made; one under construction is dropped. */
  stop(): void;
  /** Drops what it was doing: the heads moved. */
  reset(): void;
}

interface Prepared {
  readonly parent: L2BlockRef;
  /** null: L1 must have another block first. */
  readonly attributes: PayloadAttributes | null;
}

/**
 * The part of the driver that makes blocks: it prepares the attributes and starts the next block as soon as the one before is the head, and seals it when
 * the network clock reaches its timestamp. A sequencer that is behind seals at once, so it catches up as fast as the engine builds.
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  const { engine, clock, log } = options;
  const preparing = aside<Prepared>(options.wake);
  const pauses = backoff(20, 1000);
  let isActive = options.isActive;
  let build: Build | undefined;
  let sealed: ExecutionPayloadEnvelope | undefined;
  let notBefore = 0;
  let waitsForL1 = false;

  function retry(error: Error): Next {
    if (pauses.failures === 0) log.warn('no block for now', { error });
    notBefore = clock.now() + pauses.next();
    return notBefore;
  }

  function failed(error: unknown): Next {
    build = undefined;
    const isReorg = error instanceof DerivationError && error.handling === 'reset';
    if (isReorg || isEngineError(error, 'forkchoice')) {
      options.requestReset(error.message);
      return 'again';
    }
    return retry(error instanceof Error ? error : new Error(String(error)));
  }

  /** Prepares aside, then starts the build of the block upon `head`. */
  async function begin(head: L2BlockRef): Promise<Next> {
    const prepared = preparing.take();
    if (!prepared) {
      if (!preparing.isRunning) preparing.start(() => prepare(options, head));
      return null;
    }
    if (!prepared.ok) return failed(prepared.error);
    if (prepared.value.parent.hash !== head.hash) return 'again';
    if (prepared.value.attributes === null) {
      if (!waitsForL1)
        log.warn('past the sequencer drift: waiting for L1', { head: head.number, origin: head.l1origin.number });
      waitsForL1 = true;
      return clock.now() + 1000;
    }
    waitsForL1 = false;
    build = await engine.startBuild(head, prepared.value.attributes);
    return 'again';
  }

  async function seal(current: Build): Promise<Next> {
    const due = current.attributes.timestamp * 1000;
    if (due > clock.now()) return due;
    build = undefined;
    sealed = await engine.seal(current);
    options.publish(sealed);
    return insert(sealed);
  }

  /** A sealed block was published: it is inserted even if the engine does not answer at first, so that no second block of its height is made. */
  async function insert(envelope: ExecutionPayloadEnvelope): Promise<Next> {
    try {
      const ref = await engine.insert(envelope);
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
    pauses.succeeded();
    return 'again';
  }

  return {
    name: 'sequencer',
    get isActive() {
      return isActive;
    },
    async step() {
      if (!isActive || !engine.isReady) return null;
      if (notBefore > clock.now()) return notBefore;
      const { unsafe, safe } = engine.heads();
      if (build && build.parent.hash !== unsafe.hash) build = undefined;
      if (sealed && sealed.executionPayload.parentHash !== unsafe.hash) sealed = undefined;
      try {
        if (sealed) return await insert(sealed);
        if (build) return await seal(build);
        if (options.maxSafeLag > 0 && unsafe.number - safe.number >= options.maxSafeLag) return null;
        const headTime = unsafe.timestamp * 1000;
        if (headTime > clock.now()) return headTime;
        return await begin(unsafe);
      } catch (error) {
        return failed(error);
      }
    },
    start() {
      isActive = true;
      options.wake();
    },
    stop() {
      isActive = false;
      build = undefined;
      sealed = undefined;
      preparing.forget();
    },
    reset() {
      build = undefined;
      sealed = undefined;
      notBefore = 0;
      preparing.forget();
    },
  };
}

async function prepare(options: SequencerOptions, parent: L2BlockRef): Promise<Prepared> {
  const { rollup, l1, l2, isRecovering } = options;
  const origin = await chooseOrigin(rollup, l1, parent, isRecovering);
  if (origin === null) return { parent, attributes: null };
  const attributes = await prepareSequencerAttributes(rollup, l1, l2, parent, origin);
  return { parent, attributes: isRecovering ? { ...attributes, noTxPool: true } : attributes };
}

/** What `admin_startSequencer` does, with the words that callers know. `expected`: the head it must go on from. @throws Error */
export function startSequencer(sequencer: Sequencer, head: Hex, expected: Hex | undefined): void {
  if (sequencer.isActive) throw new Error('sequencer already running');
  if (expected !== undefined && expected.toLowerCase() !== head)
    throw new Error(`block hash does not match: head ${head}, received ${expected}`);
  sequencer.start();
}
