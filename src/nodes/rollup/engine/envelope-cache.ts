import { LRUCache } from 'lru-cache';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';

/** Envelopes cached by hash. */
const MAX_CACHED_ENVELOPES = 128;

/** The last blocks that the engine received or answered (op-service: `L2Client`, `payloadsCache`). */
export class EnvelopeCache {
  readonly #byHash = new LRUCache<string, ExecutionPayloadEnvelope>({ max: MAX_CACHED_ENVELOPES });

  /** Stores an envelope and returns it. */
  add(envelope: ExecutionPayloadEnvelope): ExecutionPayloadEnvelope {
    this.#byHash.set(envelope.executionPayload.blockHash, envelope);
    return envelope;
  }

  get(hash: Hex): ExecutionPayloadEnvelope | undefined {
    return this.#byHash.get(hash);
  }

  /** Returns the block of a number at or below `head`; undefined if one between them is not cached. */
  below(head: Hex, number: number): ExecutionPayloadEnvelope | undefined {
    let at = this.get(head);
    while (at !== undefined && at.executionPayload.blockNumber > number) at = this.get(at.executionPayload.parentHash);
    return at;
  }
}
