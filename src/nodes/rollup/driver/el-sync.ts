import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, L2BlockRef } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { EngineClient } from '../engine/client.ts';
import { isEngineError } from '../engine/error.ts';
import type { Heads } from '../engine/forkchoice.ts';

/** Settings of the sync, and the parts that it works with. */
export interface ElSyncOptions {
  readonly rollup: Rollup;
  readonly client: Pick<EngineClient, 'newPayload' | 'forkchoice'>;
  readonly log: Logger;
  /** The engine can also sync with finalized blocks. */
  readonly afterFinality: boolean;
}

/**
 * Execution-layer sync (`syncmode=execution-layer`; op-node: `ELSync`).
 * The engine gets the newest gossiped block and fetches the chain below it from its own peers. It answers SYNCING
 * meanwhile, and derivation waits. A block that it reports VALID becomes safe and finalized, and derivation continues
 * after it.
 */
export interface ElSync {
  /** Tells whether the engine must still sync, by its newest finalized block (op-node: `IsEngineSyncing`). */
  isDue(finalized: L2BlockRef): boolean;
  /** Adds a newer sync target. */
  addTarget(envelope: ExecutionPayloadEnvelope): void;
  /**
   * Sends the newest target to the engine (op-node: `InsertUnsafePayload`). Returns the heads once it has synced.
   * @throws EngineError if it does not answer
   */
  advance(from: Heads): Promise<Heads | undefined>;
  /** The sync target; undefined before the first gossiped block, and after the sync. */
  target(): L2BlockRef | undefined;
}

/** Creates the sync without a target. */
export function elSync({ rollup, client, log, afterFinality }: ElSyncOptions): ElSync {
  let target: ExecutionPayloadEnvelope | undefined;
  let lastNotice: string | undefined;
  let isDone = false;

  const isSyncing = async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      return false;
    } catch (error) {
      if (isEngineError(error, 'syncing')) return true;
      throw error;
    }
  };

  return {
    isDue: ({ number }) => !isDone && (afterFinality || number === rollup.config.genesis.l2.number),
    addTarget(envelope) {
      if (envelope.executionPayload.blockNumber > (target?.executionPayload.blockNumber ?? 0)) target = envelope;
    },
    async advance({ safe, finalized }) {
      if (target === undefined) return undefined;
      const ref = blockRefOf(rollup, target.executionPayload);
      const envelope = target;
      try {
        const lacksParents = await isSyncing(() => client.newPayload(envelope));
        const before = { headBlockHash: ref.hash, safeBlockHash: safe.hash, finalizedBlockHash: finalized.hash };
        const lacksBlocks = await isSyncing(() => client.forkchoice(before));
        if (lacksParents || lacksBlocks) {
          if (lastNotice !== ref.hash) log.info('the engine syncs', { target: ref.number, hash: ref.hash });
          lastNotice = ref.hash;
          return undefined;
        }
      } catch (error) {
        if (!isEngineError(error, 'invalid')) throw error;
        log.warn('the engine calls its sync target invalid; waiting for another', { number: ref.number, error });
        target = undefined;
        return undefined;
      }
      log.info('the engine is synced', { number: ref.number, hash: ref.hash });
      target = undefined;
      isDone = true;
      return { unsafe: ref, pendingSafe: ref, safe: ref, finalized: ref };
    },
    target: () => target && blockRefOf(rollup, target.executionPayload),
  };
}
