import { attributesMatchBlock } from '../../../protocol/derivation/attributes/attributes-match-block.ts';
import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { AttributesWithParent, Pipeline } from '../../../protocol/derivation/pipeline/pipeline.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { EngineClient } from '../engine/client.ts';
import type { Build, EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import type { Lookahead } from './lookahead.ts';

/** The parts that the handler works with. */
export interface AttributesHandlerOptions {
  readonly rollup: Rollup;
  readonly pipeline: Pick<Pipeline, 'payloadInvalid'>;
  readonly engine: EngineController;
  readonly client: Pick<EngineClient, 'payloadBelow'>;
  readonly log: Logger;
  readonly onSafe: (derivedFrom: L1BlockRef, head: L2BlockRef) => void;
  /** Takes the block that becomes final with the next move of the safe head; undefined for none. */
  readonly takeFinal: () => L2BlockRef | undefined;
}

/** Applies derived attributes to the engine (op-node: `AttributesHandler`). */
export interface AttributesHandler {
  /**
   * Makes derived attributes the (pending) safe head. Returns replacement attributes where the engine rejected these.
   * @throws EngineError: the same attributes may be applied again. DerivationError reset: an engine reset is required
   */
  apply(derived: AttributesWithParent): Promise<AttributesWithParent | undefined>;
  /** Drops the started build: the heads have moved. */
  reset(): void;
}

/** Creates the handler. `ahead` derives the next attributes while the engine executes a block. */
export function attributesHandler(options: AttributesHandlerOptions, ahead: Lookahead): AttributesHandler {
  const { engine, rollup, log } = options;
  /** The started build of attributes that were derived ahead. */
  let begun: Build | undefined;
  /** No lookahead up to this block: the engine rejected a block of its own. */
  let carefulUntil = 0;

  /**
   * Compares derived attributes with the unsafe block at their height, and promotes it where they are equal.
   * Counterpart in op-node: `consolidateNextSafeAttributes`, in kona: `ConsolidateTask`.
   */
  async function consolidateNext(derived: AttributesWithParent): Promise<boolean> {
    const { pendingSafe, unsafe } = engine.heads();
    const number = pendingSafe.number + 1;
    const envelope = await options.client.payloadBelow(unsafe.hash, number);
    if (envelope === null)
      throw new DerivationError('reset', `the engine lost block ${number} below its head ${unsafe.number}`);
    const differences = attributesMatchBlock(rollup, derived, envelope);
    if (differences.length === 0) {
      const ref = blockRefOf(rollup, envelope.executionPayload);
      await engine.promoteSafe(ref, derived.concluding, derived.concluding ? options.takeFinal() : undefined);
      ahead.confirm(ref);
      if (derived.concluding) options.onSafe(derived.derivedFrom, ref);
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
  async function build(derived: AttributesWithParent, started: Build | undefined): Promise<void> {
    const current = started ?? (await engine.startBuild(derived.parent, derived.attributes));
    const envelope = await engine.seal(current);
    const ref = blockRefOf(rollup, envelope.executionPayload);
    if (ref.number > carefulUntil) ahead.startAhead(envelope, ref);
    await engine.execute(envelope);
    begun = await engine.adoptSafe(ref, derived.concluding, ahead.following(ref)?.attributes);
    ahead.confirm(ref);
    if (derived.concluding) options.onSafe(derived.derivedFrom, ref);
    log.debug('derived a block', { number: ref.number, hash: ref.hash, l1: derived.derivedFrom.number });
  }

  return {
    async apply(derived) {
      const { pendingSafe, unsafe } = engine.heads();
      const started = begun?.attributes === derived.attributes && unsafe.hash === begun.parent.hash ? begun : undefined;
      begun = undefined;
      if (derived.parent.hash !== pendingSafe.hash) {
        ahead.confirm(pendingSafe);
        return undefined;
      }
      if (pendingSafe.number < unsafe.number && (await consolidateNext(derived))) return undefined;
      try {
        await build(derived, started);
        return undefined;
      } catch (error) {
        if (!isEngineError(error, 'attributes', 'invalid')) throw error;
        if (ahead.isAhead) {
          carefulUntil = derived.parent.number + 1;
          throw new DerivationError('reset', `the engine refuses the block that it built itself: ${error.message}`);
        }
        return replaced(options, derived, error);
      }
    },
    reset() {
      begun = undefined;
    },
  };
}

/**
 * Returns the attributes to apply after the engine rejected derived ones (op-node: `onBuildInvalid`).
 * Either the same with deposits only, or none: the batch is dropped. @throws Error where deposits alone were rejected
 */
function replaced(
  options: AttributesHandlerOptions,
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
