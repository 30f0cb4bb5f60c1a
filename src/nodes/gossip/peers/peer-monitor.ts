import type { Logger } from '../../../system/program/log.ts';
import type { Host } from '../host/host.ts';
import type { PeerBook } from './peer-book.ts';
import { gossipScore } from './peer-info.ts';

/** Milliseconds between checks of peers' scores. */
const SCORE_CHECK_INTERVAL_MS = 1_000;

/** The score below which a peer is banned, and for how long. */
export interface BanPolicy {
  readonly threshold: number;
  readonly durationMs: number;
}

/** Settings of the peer monitor. */
export interface PeerMonitorOptions {
  /** undefined: no peer is banned. */
  readonly ban: BanPolicy | undefined;
  /** Milliseconds between two decays of the counts of answers. */
  readonly decayInterval: number;
  /** Whether a peer is static: it is never banned. */
  readonly isTrusted: (id: string) => boolean;
  readonly log: Logger;
}

/**
 * Decays the counts of peers' answers, and bans peers with a score below the threshold.
 * Counterparts: `PeerMonitor`, `BanPeer` (op-node), `handle_peer_monitoring` (kona). Returns a stop function.
 */
export function startPeerMonitor(host: Host, book: PeerBook, options: PeerMonitorOptions): () => void {
  const { isTrusted, log } = options;

  function banPeers({ threshold, durationMs }: BanPolicy): void {
    for (const peer of host.getPeers()) {
      const id = peer.toString();
      const score = gossipScore(host.services.pubsub, id);
      if (isTrusted(id) || score >= threshold) continue;
      log.warn('a peer is banned for its score', { peer: id, score, threshold });
      book.ban(id, Date.now() + durationMs);
    }
  }

  const timers = [
    setInterval(book.scorer.decay, options.decayInterval),
    ...(options.ban ? [setInterval(banPeers, SCORE_CHECK_INTERVAL_MS, options.ban)] : []),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
