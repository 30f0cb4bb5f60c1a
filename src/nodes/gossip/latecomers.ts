import type { GossipSub } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { pause } from '../../system/pause.ts';

/** A published message and who has it. */
interface Published {
  readonly topic: string;
  readonly data: Uint8Array;
  readonly recipients: Set<string>;
  /** By the monotonic clock, milliseconds. */
  readonly at: number;
}

/** Messages that a peer gets when it joins. */
const KEPT = 8;
/** Milliseconds after which a message is not sent any more: peers blame the sender of an old block. */
const MAX_AGE = 20_000;
/** Milliseconds between tries, and tries, of a peer whose stream is not open yet. */
const RETRY = { pause: 20, times: 50 };

/** The part of gossipsub that sends to one peer, which its interface leaves out. */
interface Unicast {
  readonly streamsOutbound: ReadonlyMap<string, unknown>;
  readonly mesh: ReadonlyMap<string, ReadonlySet<string>>;
  sendRpc(peer: string, rpc: { subscriptions: []; messages: { topic: string; data: Uint8Array }[] }): boolean;
}

/**
 * Gossip reaches those who listen when it is published. The first blocks of a network are made while its nodes still look for each other, and the next one
 * may be seconds away: so whoever joins a topic is sent the last messages that this node published or passed on. Returns what notes a message;
 * `recipients`: who was sent it, by default those that gossip passes it on to.
 */
export function serveLatecomers(
  pubsub: GossipSub,
  signal: AbortSignal,
): (message: { topic: string; data: Uint8Array; recipients?: readonly PeerId[] }) => void {
  const unicast = pubsub as unknown as Unicast;
  const kept: Published[] = [];
  const serving = new Set<string>();

  function trySend(peer: string): boolean {
    const since = performance.now() - MAX_AGE;
    const missed = kept.filter(
      ({ topic, recipients, at }) => at > since && !recipients.has(peer) && listens(peer, topic),
    );
    for (const { topic, data, recipients } of missed) {
      const isSent = unicast.sendRpc(peer, { subscriptions: [], messages: [{ topic, data }] });
      if (!isSent) return false;
      recipients.add(peer);
    }
    return true;
  }

  /** Those that a message passed on reaches: in the mesh, with an open stream. */
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
  return ({ topic, data, recipients }) => {
    kept.push({
      topic,
      data,
      recipients: new Set(recipients?.map(String) ?? reached(topic)),
      at: performance.now(),
    });
    if (kept.length > KEPT) kept.shift();
    for (const subscriber of pubsub.getSubscribers(topic)) void serve(subscriber.toString());
  };
}
