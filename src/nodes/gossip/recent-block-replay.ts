import type { GossipSub } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { pause } from '../../system/time/pause.ts';

/** A message that was published or forwarded, with its recipients. */
interface Published {
  readonly topic: string;
  readonly data: Uint8Array;
  readonly recipients: Set<string>;
  /** By the monotonic clock, milliseconds. */
  readonly at: number;
}

/** Number of recent messages that a newly subscribed peer receives. */
const MAX_REPLAYED_MESSAGES = 8;
/** Age (ms) past which a message is not replayed: peers lower the score of the sender of an old block. */
const MAX_AGE_MS = 20_000;
/** Pause (ms) between attempts, and number of attempts, while a peer's stream is not open. */
const RETRY = { pause: 20, times: 50 };

/** The unicast part of gossipsub, which its interface omits. */
interface Unicast {
  readonly streamsOutbound: ReadonlyMap<string, unknown>;
  readonly mesh: ReadonlyMap<string, ReadonlySet<string>>;
  sendRpc(peer: string, rpc: { subscriptions: []; messages: { topic: string; data: Uint8Array }[] }): boolean;
}

/** The messages that a newly subscribed peer receives. */
export interface RecentBlockReplay {
  /** Adds a message. Default `recipients`: the mesh peers. */
  record(message: { topic: string; data: Uint8Array; recipients?: readonly PeerId[] }): void;
  /** Drops all messages. */
  forget(): void;
}

/**
 * Sends the most recent blocks to each peer that subscribes after they were published.
 * Gossip reaches only the subscribers of the moment. A network makes its first blocks while its nodes connect, and
 * the next block may be seconds away.
 */
export function replayRecentBlocks(pubsub: GossipSub, signal: AbortSignal): RecentBlockReplay {
  const unicast = pubsub as unknown as Unicast;
  const blocks: Published[] = [];
  const serving = new Set<string>();

  function trySend(peer: string): boolean {
    const since = performance.now() - MAX_AGE_MS;
    const missed = blocks.filter(
      ({ topic, recipients, at }) => at > since && !recipients.has(peer) && listens(peer, topic),
    );
    for (const { topic, data, recipients } of missed) {
      const isSent = unicast.sendRpc(peer, { subscriptions: [], messages: [{ topic, data }] });
      if (!isSent) return false;
      recipients.add(peer);
    }
    return true;
  }

  /** Returns the peers that a forwarded message reaches: in the mesh, with an open stream. */
  function reached(topic: string): string[] {
    return [...(unicast.mesh.get(topic) ?? [])].filter((peer) => unicast.streamsOutbound.has(peer));
  }

  function listens(peer: string, topic: string): boolean {
    return pubsub.getSubscribers(topic).some((subscriber) => subscriber.toString() === peer);
  }

  async function serve(peer: string): Promise<void> {
    if (serving.has(peer)) return;
    serving.add(peer);
    for (let tried = 0; tried < RETRY.times && !signal.aborted && !trySend(peer); tried++)
      await pause(RETRY.pause, signal);
    serving.delete(peer);
  }

  pubsub.addEventListener('subscription-change', ({ detail }) => void serve(detail.peerId.toString()));
  return {
    record({ topic, data, recipients }) {
      blocks.push({
        topic,
        data,
        recipients: new Set(recipients?.map(String) ?? reached(topic)),
        at: performance.now(),
      });
      if (blocks.length > MAX_REPLAYED_MESSAGES) blocks.shift();
      for (const subscriber of pubsub.getSubscribers(topic)) void serve(subscriber.toString());
    },
    forget() {
      blocks.length = 0;
    },
  };
}
