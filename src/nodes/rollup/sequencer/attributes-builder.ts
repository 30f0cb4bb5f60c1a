import { prepareSequencerAttributes } from '../../../protocol/derivation/attributes/attributes.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { L1Chain, L2Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, L2BlockRef, PayloadAttributes } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import { type BackgroundJob, backgroundJob, type Settled } from '../loop/background-job.ts';
import { currentOrigin, findL1Origin } from './origin-selector.ts';
import { inTime, LateError } from './patience.ts';

/** Settings of the attributes builder, and the parts that it works with. */
export interface AttributesBuilderOptions {
  readonly rollup: Rollup;
  /** L1 up to the confirmation depth of origins. */
  readonly l1: L1Chain;
  readonly l2: L2Chain;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  /** Called when attributes are prepared. */
  readonly wake: () => void;
  readonly isRecovering: boolean;
}

/** The attributes of the child of `parent`. */
export interface NextAttributes {
  readonly parent: L2BlockRef;
  /** null: L1 must have another block first. */
  readonly attributes: PayloadAttributes | null;
}

/** Prepares the attributes of the next block beside the event loop (op-node: `FetchingAttributesBuilder`). */
export class AttributesBuilder {
  /** Recovery mode: empty blocks, each on the next L1 origin. It applies from the next `start` on. */
  isRecovering: boolean;
  readonly #job: BackgroundJob<NextAttributes>;
  readonly #options: AttributesBuilderOptions;

  constructor(options: AttributesBuilderOptions) {
    this.isRecovering = options.isRecovering;
    this.#job = backgroundJob(options.wake, options.clock.activity());
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#job.isRunning;
  }

  start(parent: L2BlockRef): void {
    const { isRecovering } = this;
    this.#job.start(() => this.#prepare(parent, isRecovering));
  }

  /** Returns the result and clears it; undefined while there is none. */
  take(): Settled<NextAttributes> | undefined {
    return this.#job.take();
  }

  /** Takes the attributes of the child of `parent`, if they are prepared. Others are prepared anew later. */
  takeAfter(parent: L2BlockRef): PayloadAttributes | undefined {
    const prepared = this.#job.take();
    if (!prepared?.ok || prepared.value.parent.hash !== parent.hash) return undefined;
    return prepared.value.attributes ?? undefined;
  }

  /** Drops the result without waiting for it. */
  cancel(): void {
    this.#job.cancel();
  }

  /**
   * Prepares the attributes on the next origin (op-node: `PreparePayloadAttributes`). If L1 does not answer for it
   * within half of a block's time, blocks stay on the current origin while the drift allows.
   */
  async #prepare(parent: L2BlockRef, isRecovering: boolean): Promise<NextAttributes> {
    const { rollup, l1, clock, log } = this.#options;
    const choosing = findL1Origin(rollup, l1, parent, isRecovering);
    const next = choosing.then((origin) =>
      origin === null ? { parent, attributes: null } : this.#prepareUpon(parent, origin, isRecovering),
    );
    if (isRecovering) return next;
    // The next block may come before L1 has answered.
    next.catch(() => undefined);
    try {
      return await inTime(next, clock, (rollup.config.block_time * 1000) / 2);
    } catch (error) {
      const origin = error instanceof LateError ? undefined : await choosing;
      const isL1Away = !(error instanceof DerivationError) || error.handling === 'retry';
      const current = isL1Away ? await currentOrigin(rollup, l1, parent) : null;
      if (current === null || current.hash === origin?.hash) return next;
      log.warn('L1 does not answer for the next origin: the current one stays', { origin: current.number, error });
      return this.#prepareUpon(parent, current, isRecovering);
    }
  }

  async #prepareUpon(parent: L2BlockRef, origin: BlockId, isRecovering: boolean): Promise<NextAttributes> {
    const { rollup, l1, l2 } = this.#options;
    const attributes = await prepareSequencerAttributes(rollup, l1, l2, parent, origin);
    return { parent, attributes: isRecovering ? { ...attributes, noTxPool: true } : attributes };
  }
}
