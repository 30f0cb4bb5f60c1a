import type { Derived } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { type Meter, NO_METER } from '../../shared/gossip/meter.ts';

/** What the parts of a rollup node tell whoever counts, besides the peer network. */
export interface Metricer extends Meter {
  /** A method of the RPC server was called. */
  recordServerRequest(method: string, seconds: number): void;
  /** The engine was asked; the error's code, or undefined. */
  recordClientRequest(method: string, seconds: number, error: unknown): void;
  /** L1 was asked; the error's code, or undefined. */
  recordL1Request(method: string, seconds: number, error: unknown): void;
  /** L1 has another head. */
  recordL1Head(block: BlockId): void;
  /** The pipeline read something. */
  recordDerived(what: Derived): void;
  /** An unsafe block arrived by gossip. */
  recordReceivedUnsafePayload(envelope: ExecutionPayloadEnvelope): void;
  /** A block was sequenced. */
  countSequencedTxs(envelope: ExecutionPayloadEnvelope): void;
  /** The engine gave a block that was under construction for `building` seconds, `sealing` of them while it was asked for. */
  recordSequencerTimes(building: number, sealing: number): void;
  /** A part could not go on for now, or its chain is no longer that of L1. */
  recordFailure(part: 'derivation' | 'sequencing', isReorg: boolean): void;
  /** A block could not be gossiped. */
  recordPublishingError(): void;
  /** Protocol versions: this node's, and those that L1 signals. */
  reportProtocolVersions(own: Hex, recommended: Hex, required: Hex): void;
  /** Derivation started anew from the safe head. */
  recordPipelineReset(): void;
}

/** Counts nothing. */
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
