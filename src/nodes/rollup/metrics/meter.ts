import type { Derived } from '../../../protocol/derivation/ports.ts';
import type { BlockId, ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { type Meter, NO_METER } from '../../gossip/meter.ts';

/** What the parts of a rollup node tell whoever counts, besides the peer network. */
export interface NodeMeter extends Meter {
  /** A method of the RPC server was called. */
  served(method: string, seconds: number): void;
  /** The engine was asked; the error's code, or undefined. */
  called(method: string, seconds: number, error: unknown): void;
  /** L1 was asked; the error's code, or undefined. */
  askedL1(method: string, seconds: number, error: unknown): void;
  /** L1 has another head. */
  headL1(block: BlockId): void;
  /** The pipeline read something. */
  derived(what: Derived): void;
  /** An unsafe block arrived by gossip. */
  received(envelope: ExecutionPayloadEnvelope): void;
  /** A block was sequenced. */
  sequenced(envelope: ExecutionPayloadEnvelope): void;
  /** The engine gave a block that was under construction for `building` seconds, `sealing` of them while it was asked for. */
  sealed(building: number, sealing: number): void;
  /** A part could not go on for now, or its chain is no longer that of L1. */
  failed(part: 'derivation' | 'sequencing', isReorg: boolean): void;
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
  askedL1() {},
  headL1() {},
  derived() {},
  received() {},
  sequenced() {},
  sealed() {},
  failed() {},
  unpublished() {},
  versions() {},
  reset() {},
};
