import { blockRefOf } from '../../../protocol/derivation/attributes/block-ref.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import { finalityBroken, findSyncStart } from '../../../protocol/derivation/pipeline/sync-start.ts';
import type { L1Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, L2BlockRef } from '../../../protocol/types.ts';
import type { Quiesce } from '../../../system/channel/quiesce.ts';
import { asError } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { EngineClient, EngineLabel } from '../engine/client.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import type { Heads } from '../engine/forkchoice.ts';
import { backgroundJob } from '../loop/background-job.ts';
import type { Deriver, Retry } from '../loop/loop.ts';
import { retryTimer } from '../loop/retry-timer.ts';
import type { ElSync } from './el-sync.ts';

/** The parts that the reset works with. */
export interface EngineResetOptions {
  readonly rollup: Rollup;
  readonly l1: L1Chain;
  readonly client: EngineClient;
  readonly engine: EngineController;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
  readonly wake: () => void;
  /** The reset waits until the L1 head is known. */
  readonly isL1Known: () => boolean;
  /** Reads the chain id of L1, which must be the configured one. */
  readonly l1ChainId: () => Promise<number>;
  /** The L1 block by which the newest L2 block was finalized, if this process finalized any. */
  readonly finalizedBy: () => BlockId | undefined;
  /** Present: execution-layer sync comes first. */
  readonly engineSync: ElSync | undefined;
  /** Called when a reset is requested. */
  readonly onReset: (reason: string) => void;
  /** Resets the other derivers to the new heads. */
  readonly onHeads: (heads: Heads) => Promise<void>;
}

/** The deriver that finds the heads (op-node: `EngineResetDeriver`). */
export interface EngineResetDeriver extends Deriver {
  /** Requests a reset at the next step (op-node: `ResetEngineRequestEvent`). */
  request(reason: string): void;
  /** Resolves after the next reset. */
  completed(): Promise<void>;
  /** Drops a request: the heads of an earlier moment are restored. */
  cancel(): void;
}

/** Milliseconds between two forkchoice calls to an engine that syncs. */
const SYNC_POLL_INTERVAL_MS = 500;

/**
 * Creates the deriver that finds the heads from the engine's labels and L1 (op-node: `EngineResetDeriver`).
 * It runs at the start and on request.
 */
export function engineResetDeriver(options: EngineResetOptions): EngineResetDeriver {
  const { engine, clock, log } = options;
  const search = backgroundJob<Heads>(options.wake, clock.activity());
  const retries = retryTimer(clock, 10, 25);
  const completions: (() => void)[] = [];
  let reason: string | undefined = 'start';

  function retry(error: Error): Retry {
    if (retries.isNews(error) || isEngineError(error, 'unauthorized'))
      log.warn('waiting for the engine or L1', { error });
    return retries.failed(isEngineError(error, 'unauthorized') ? 1000 : 0);
  }

  return {
    name: 'start',
    async step() {
      if (reason === undefined) return null;
      const waiting = retries.waiting();
      if (waiting) return waiting;
      const outcome = search.take();
      if (outcome === undefined) {
        if (!search.isRunning && options.isL1Known()) search.start(() => findHeads(options));
        return null;
      }
      if (!outcome.ok) {
        if (outcome.error instanceof DerivationError && outcome.error.handling === 'fatal') throw outcome.error;
        return retry(outcome.error);
      }
      let heads = outcome.value;
      try {
        if (options.engineSync?.isDue(heads.finalized)) {
          const synced = await options.engineSync.advance(heads);
          if (synced === undefined) return retries.after(SYNC_POLL_INTERVAL_MS);
          heads = synced;
        }
        await engine.reset(heads);
        await options.onHeads(heads);
      } catch (error) {
        return retry(asError(error));
      }
      const { unsafe, safe, finalized } = heads;
      log.info('heads found', { reason, unsafe: unsafe.number, safe: safe.number, finalized: finalized.number });
      reason = undefined;
      retries.succeeded();
      for (const done of completions.splice(0)) done();
      return 'again';
    },
    request(why) {
      if (reason === undefined) {
        log.warn('finding the heads anew', { reason: why });
        options.onReset(why);
      }
      reason = why;
      engine.suspend();
      search.cancel();
      options.wake();
    },
    cancel() {
      reason = undefined;
      search.cancel();
      retries.clear();
      for (const done of completions.splice(0)) done();
    },
    completed: () => new Promise((resolve) => completions.push(resolve)),
  };
}

/**
 * Checks the chain ids of L1 and the engine (op-node: `CheckL1ChainID`, `CheckL2ChainID`).
 * @throws DerivationError fatal if one differs from rollup.json
 */
async function checkChains({ rollup, client, l1ChainId }: EngineResetOptions): Promise<void> {
  // In this order: an engine that is still starting is polled often, and L1 need not be polled with it.
  const l2 = await client.chainId();
  const l1 = await l1ChainId();
  const { l1_chain_id, l2_chain_id } = rollup.config;
  if (l1 !== l1_chain_id)
    throw new DerivationError('fatal', `--l1 answers as chain ${l1}, rollup.json is for L1 chain ${l1_chain_id}`);
  if (l2 !== l2_chain_id)
    throw new DerivationError('fatal', `--l2 answers as chain ${l2}, rollup.json is for L2 chain ${l2_chain_id}`);
}

/** Finds the heads (op-node: `FindL2Heads`, kona: `find_starting_forkchoice`). */
async function findHeads(options: EngineResetOptions): Promise<Heads> {
  const { rollup, client, l1 } = options;
  await checkChains(options);
  const [unsafe, safe, finalized] = await Promise.all([
    refByLabel(options, 'latest'),
    refByLabel(options, 'safe'),
    refByLabel(options, 'finalized'),
  ]);
  // This check is first because its error names the L1 block that was final. The walk back knows only the finalized
  // block's L1 origin.
  await checkFinality(options, finalized);
  const start = await findSyncStart(rollup, l1, client, { unsafe, safe, finalized });
  return { unsafe: start.unsafe, pendingSafe: start.safe, safe: start.safe, finalized: start.finalized };
}

/** Checks finality. @throws DerivationError fatal if L1 no longer has the block that made `finalized` final */
async function checkFinality({ l1, finalizedBy }: EngineResetOptions, finalized: L2BlockRef): Promise<void> {
  const by = finalizedBy();
  const header = by && (await l1.headerByNumber(by.number));
  if (by && header && header.hash !== by.hash) throw finalityBroken(by, header, finalized);
}

/** Returns the engine's block of a label (op-service: `L2BlockRefByLabel`); genesis if a fresh engine has none. */
async function refByLabel(options: EngineResetOptions, label: EngineLabel): Promise<L2BlockRef> {
  const envelope = (await options.client.payloadByLabel(label)) ?? (await options.client.payloadByNumber(0));
  if (envelope === null) throw new Error('the engine has no genesis block');
  return blockRefOf(options.rollup, envelope.executionPayload);
}
