import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { PeerNetwork } from '../../gossip/peer-network.ts';
import type { SafeDb } from '../driver/safedb.ts';
import type { DependencySet } from '../interop/dependency-set.ts';
import type { BlockBuilding } from './block-building.ts';

/** The node's view of L1 and L2 (op-service: `SyncStatus`). A zero reference stands for an unknown block. */
export interface SyncStatus {
  readonly current_l1: L1BlockRef;
  readonly head_l1: L1BlockRef;
  readonly safe_l1: L1BlockRef;
  readonly finalized_l1: L1BlockRef;
  readonly unsafe_l2: L2BlockRef;
  readonly safe_l2: L2BlockRef;
  readonly finalized_l2: L2BlockRef;
  readonly pending_safe_l2: L2BlockRef;
  readonly queued_unsafe_l2: L2BlockRef;
  /** Target of the engine: its unsafe head, or the block of an execution-layer sync. */
  readonly engine_sync_target: L2BlockRef;
}

/** An output root with the values that it commits to (op-service: `OutputV0`, `OutputResponse`). */
export interface Output {
  readonly outputRoot: Hex;
  readonly blockRef: L2BlockRef;
  readonly withdrawalStorageRoot: Hex;
  readonly stateRoot: Hex;
}

/** The node as its RPC methods see it (op-node: `driverClient`, `l2EthClient`). */
export interface NodeApi {
  readonly rollup: Rollup;
  readonly version: string;
  readonly log: Logger;
  /** undefined: p2p is disabled. */
  readonly peers: () => PeerNetwork | undefined;
  readonly safedb: SafeDb | undefined;
  /** undefined: no `interop.dependency-set` was given. */
  readonly dependencySet: DependencySet | undefined;
  readonly building: BlockBuilding;
  syncStatus(): SyncStatus;
  /** Returns an output root (op-node: `OutputAtBlock`); null if the engine has no such block. @throws EngineError */
  outputAt(number: number): Promise<Output | null>;
  /** undefined on a node without `sequencer.enabled`. */
  readonly sequencer: SequencerControl | undefined;
  /** Resets the engine and derivation (op-node: `ResetDerivationPipeline`). */
  resetDerivation(): Promise<void>;
  /**
   * Accepts an unsafe payload without a signature (op-node: `PostUnsafePayload`).
   * @throws Error if its block hash does not match its fields
   */
  postUnsafePayload(envelope: ExecutionPayloadEnvelope): void;
}

/** The sequencer as its RPC methods see it (op-node: `SequencerIface`). */
export interface SequencerControl {
  isActive(): boolean;
  /** Whether a conductor elects the leader. */
  readonly isConducted: boolean;
  /** Ignores the conductor from now on, if there is one. */
  overrideLeader(): void;
  /**
   * @throws Error `sequencer already running`, if this node is not the leader, or if `head` is not the unsafe
   * head
   */
  start(head: Hex | undefined): Promise<void>;
  /**
   * Stops sequencing and returns the unsafe head.
   * @throws Error `sequencer not running`, or if a published block cannot become the head
   */
  stop(): Promise<Hex>;
  setRecovering(isRecovering: boolean): Promise<void>;
}

const ZERO: Hex = `0x${'0'.repeat(64)}`;
/** Stands for an unknown L1 block. */
export const NO_L1_BLOCK: L1BlockRef = { hash: ZERO, number: 0, parentHash: ZERO, timestamp: 0 };
/** Stands for an unknown L2 block. */
export const NO_L2_BLOCK: L2BlockRef = { ...NO_L1_BLOCK, l1origin: { hash: ZERO, number: 0 }, sequenceNumber: 0 };
