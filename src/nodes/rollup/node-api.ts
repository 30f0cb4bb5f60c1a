import { outputRoot } from '../../protocol/codec/output-root.ts';
import { payloadBlockHash } from '../../protocol/codec/payload-header.ts';
import { blockRefOf, l1RefOf } from '../../protocol/derivation/attributes/block-ref.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { Hex, L1BlockRef } from '../../protocol/types.ts';
import { VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { AdminState } from './driver/admin-state.ts';
import type { Driver } from './driver/driver.ts';
import type { SafeDb } from './driver/safedb.ts';
import type { EngineClient } from './engine/client.ts';
import type { DependencySet } from './interop/dependency-set.ts';
import {
  NO_L1_BLOCK,
  NO_L2_BLOCK,
  type NodeApi,
  type Output,
  type SequencerControl,
  type SyncStatus,
} from './methods/api.ts';
import { blockBuilding } from './methods/block-building.ts';
import type { RollupNodeOptions } from './options/index.ts';
import type { NodeP2P } from './p2p/p2p.ts';
import type { Conductor } from './sequencer/conductor.ts';
import { checkStart, type Sequencer } from './sequencer/sequencer.ts';

/** The L2ToL1MessagePasser predeploy. */
const MESSAGE_PASSER: Hex = '0x4200000000000000000000000000000000000016';

/** Longest wait of `stop` for a block being inserted, and the pause between two attempts, ms. */
const STOP_TIMEOUT_MS = 8000;
const STOP_RETRY_MS = 20;

/** The parts behind the API. */
export interface NodeApiOptions {
  readonly rollup: Rollup;
  readonly driver: Driver;
  readonly client: EngineClient;
  readonly log: Logger;
  readonly adminState: AdminState;
  readonly safedb: SafeDb | undefined;
  readonly dependencySet: DependencySet | undefined;
  readonly peers: NodeP2P;
  readonly conductor: Conductor | undefined;
  readonly options: RollupNodeOptions;
}

/** Creates the API of the RPC methods over the running node (op-node: `NewNodeAPI`, `NewAdminAPI`). */
export function nodeApi(context: NodeApiOptions): NodeApi {
  const { rollup, driver, log, safedb, peers } = context;
  return {
    rollup,
    version: VERSION,
    log,
    peers: () => peers.network(),
    safedb,
    dependencySet: context.dependencySet,
    building: blockBuilding(rollup, driver, context.client, peers),
    syncStatus: () => syncStatus(driver),
    outputAt: (number) => outputAt(context, number),
    sequencer: driver.sequencer && sequencerControl(context, driver.sequencer),
    async resetDerivation() {
      driver.start.request('admin_resetDerivationPipeline');
      await driver.start.completed();
    },
    postUnsafePayload(envelope) {
      const payload = envelope.executionPayload;
      const hash = payloadBlockHash(envelope, rollup.rulesAt(payload.timestamp));
      if (hash !== payload.blockHash)
        throw new Error(`payload has bad block hash: ${payload.blockHash}, actual ${hash}`);
      blockRefOf(rollup, payload);
      log.info('an administrator posted a block', { number: payload.blockNumber, hash });
      driver.onUnsafe(envelope);
    },
  };
}

/** Collects all heads (op-node: `StatusTracker.SyncStatus`). */
function syncStatus(driver: Driver): SyncStatus {
  const { engine, heads, derivation, unsafe } = driver;
  const l1 = (block: L1BlockRef | undefined) => (block ? l1RefOf(block) : NO_L1_BLOCK);
  const l2 = engine.isKnown ? engine.heads() : undefined;
  return {
    current_l1: l1(derivation.origin()),
    head_l1: l1(heads.latest),
    safe_l1: l1(heads.safe),
    finalized_l1: l1(heads.finalized),
    unsafe_l2: l2?.unsafe ?? NO_L2_BLOCK,
    safe_l2: l2?.safe ?? NO_L2_BLOCK,
    finalized_l2: l2?.finalized ?? NO_L2_BLOCK,
    pending_safe_l2: l2?.pendingSafe ?? NO_L2_BLOCK,
    queued_unsafe_l2: unsafe.lowestQueuedUnsafeBlock() ?? NO_L2_BLOCK,
    engine_sync_target: driver.syncTarget() ?? l2?.unsafe ?? NO_L2_BLOCK,
  };
}

/** Reads a block of the chain below the unsafe head. Few are requested from the engine. */
function payloadAt({ driver: { engine }, client }: NodeApiOptions, number: number) {
  const head = engine.isKnown ? engine.heads().unsafe : undefined;
  return head && number <= head.number ? client.payloadBelow(head.hash, number) : client.payloadByNumber(number);
}

/** Computes the output root of a block (op-node: `OutputAtBlock`, op-service: `OutputV0AtBlock`). */
async function outputAt(context: NodeApiOptions, number: number): Promise<Output | null> {
  const { rollup, client, options } = context;
  const envelope = await payloadAt(context, number);
  if (envelope === null) return null;
  const payload = envelope.executionPayload;
  const inHeader = options.withdrawalRootFromState ? undefined : payload.withdrawalsRoot;
  const withdrawalStorageRoot = inHeader ?? (await client.storageRoot(MESSAGE_PASSER, payload.blockHash));
  return {
    outputRoot: outputRoot(payload.stateRoot, withdrawalStorageRoot, payload.blockHash),
    blockRef: blockRefOf(rollup, payload),
    withdrawalStorageRoot,
    stateRoot: payload.stateRoot,
  };
}

/**
 * Controls the sequencer (op-node: `StartSequencer`, `StopSequencer`, `OverrideLeader`).
 * Start and stop run between two steps of the driver: the returned head is the one at which sequencing stopped.
 * If the admin state cannot be saved, nothing changes.
 */
function sequencerControl({ driver, adminState, conductor }: NodeApiOptions, sequencer: Sequencer): SequencerControl {
  const { loop, engine } = driver;

  /**
   * Stops and returns the head's hash (op-node: `Sequencer.Stop`).
   * Returns undefined while a published block is not the head yet.
   */
  async function tryToStop(): Promise<Hex | undefined> {
    if (!sequencer.isActive) throw new Error('sequencer not running');
    if (sequencer.isInserting) return undefined;
    const { hash } = engine.heads().unsafe;
    adminState.save({ sequencerStarted: false });
    sequencer.stop();
    return hash;
  }

  return {
    isActive: () => sequencer.isActive,
    isConducted: conductor !== undefined,
    overrideLeader: () => conductor?.overrideLeader(),
    async start(head) {
      if (conductor && !(await conductor.isLeader())) throw new Error('sequencer is not the leader, aborting');
      await loop.run(async () => {
        checkStart(sequencer, engine.heads().unsafe.hash, head);
        adminState.save({ sequencerStarted: true });
        sequencer.start();
      });
    },
    async stop() {
      const deadline = performance.now() + STOP_TIMEOUT_MS;
      for (;;) {
        const hash = await loop.run(tryToStop);
        if (hash !== undefined) return hash;
        if (performance.now() > deadline)
          throw new Error(
            'the engine does not take the newest block, which is published: the sequencer was not stopped',
          );
        await new Promise((resolve) => setTimeout(resolve, STOP_RETRY_MS));
      }
    },
    setRecovering: (isRecovering) => loop.run(async () => sequencer.setRecovering(isRecovering)),
  };
}
