import type { GossipSub } from '@libp2p/gossipsub';

/** The state of gossipsub about messages, which its interface omits. */
interface MessageState {
  readonly seenCache: { clear(): void };
  readonly publishedMessageIds: { clear(): void };
  readonly gossipTracer: { clear(): void };
  readonly idontwantCounts: Map<string, number>;
  readonly idontwants: Map<string, unknown>;
  readonly mcache: { readonly msgs: Map<string, unknown>; readonly history: unknown[][]; notValidatedCount: number };
  readonly score: { readonly deliveryRecords: { clear(): void } };
}

/**
 * Clears the state of gossipsub about all messages. Scores stay.
 * The id of a message is a hash of its content. Without this, a block that is made again would be dropped as a
 * duplicate, by this node and by its peers.
 */
export function clearSeenMessages(pubsub: GossipSub): void {
  const { seenCache, publishedMessageIds, gossipTracer, idontwantCounts, idontwants, mcache, score } =
    pubsub as unknown as MessageState;
  for (const each of [seenCache, publishedMessageIds, gossipTracer, idontwantCounts, idontwants, mcache.msgs])
    each.clear();
  for (const slot of mcache.history) slot.length = 0;
  mcache.notValidatedCount = 0;
  score.deliveryRecords.clear();
}
