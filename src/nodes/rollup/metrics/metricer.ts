import type { Derived } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { type Meter, NO_METER } from '../../gossip/host/meter.ts';

/** Receives measurements of the rollup node (op-node: `Metricer`). */
export interface Metricer extends Meter {
  /** Records a call of an RPC method (op-service: `RecordRPCServerRequest`). */
  recordServerRequest(method: string, seconds: number): void;
  /** Records a request to the engine (op-service: `RecordRPCClientRequest`). `error`: undefined on success. */
  recordClientRequest(method: string, seconds: number, error: unknown): void;
  /** Records a request to L1 (op-node: `RecordL1RequestTime`). `error`: undefined on success. */
  recordL1Request(method: string, seconds: number, error: unknown): void;
  /** Records a new L1 head (op-node: `RecordL1ReorgDepth`). */
  recordL1Head(block: BlockId): void;
  /** Records a frame, channel or batch that the pipeline read (op-node: `RecordFrame`, `RecordDerivedBatches`). */
  recordDerived(what: Derived): void;
  /** Records an unsafe block received by gossip. */
  recordReceivedUnsafePayload(envelope: ExecutionPayloadEnvelope): void;
  /** Counts the transactions of a sequenced block. */
  countSequencedTxs(envelope: ExecutionPayloadEnvelope): void;
  /**
   * Records a sealed block: seconds from start to seal, and seconds of the seal call.
   * Counterpart in op-node: `RecordSequencerBuildingDiffTime`, `RecordSequencerSealingTime`.
   */
  recordSequencerTimes(building: number, sealing: number): void;
  /**
   * Records a failed step, or (`isReorg`) that its L1 block is gone.
   * Counterpart in op-node: `RecordDerivationError`, `RecordSequencingError`, `RecordSequencerReset`.
   */
  recordFailure(part: 'derivation' | 'sequencing', isReorg: boolean): void;
  /** Records a block that could not be gossiped. */
  recordPublishingError(): void;
  /** Reports the protocol versions of this node and those that L1 signals. */
  reportProtocolVersions(local: Hex, recommended: Hex, required: Hex): void;
  /** Records a reset of the derivation pipeline. */
  recordPipelineReset(): void;
}

/** Records nothing (op-node: `NoopMetrics`). */
export const NOOP_METRICER: Metricer = {
  ...NO_METER,
  recordServerRequest() {},
  recordClientRequest() {},
  recordL1Request() {},
  recordL1Head() {},
  recordDerived() {},
  recordReceivedUnsafePayload() {},
  countSequencedTxs() {},
  recordSequencerTimes() {},
  recordFailure() {},
  recordPublishingError() {},
  reportProtocolVersions() {},
  recordPipelineReset() {},
};
