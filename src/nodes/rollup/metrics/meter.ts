import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { type Meter, NO_METER } from '../../gossip/meter.ts';

/** What the parts of a rollup node tell whoever counts, besides the peer network. */
export interface NodeMeter extends Meter {
  /** A method of the RPC server was called. */
  served(method: string, seconds: number): void;
  /** The engine was asked; the error's code, or undefined. */
  called(method: string, seconds: number, error: unknown): void;
  /** An unsafe block arrived by gossip. */
  received(envelope: ExecutionPayloadEnvelope): void;
  /** A block was sequenced. */
  sequenced(envelope: ExecutionPayloadEnvelope): void;
  /** A block could not be gossiped. */
  unpublished(): void;
  /** Protocol versions: this node's, and those that L1 signals. */
  versions(own: Hex, recommended: Hex, required: Hex): void;
  /** Derivation started anew from the safe head. */
  reset(): void;
}

/** Counts nothing. */
export const NO_NODE_METER: NodeMeter = {
  ...NO_METER,
  served() {},
  called() {},
  received() {},
  sequenced() {},
  unpublished() {},
  versions() {},
  reset() {},
};
