import type { Libp2p } from '@libp2p/interface';
import type { Logger } from '../../../system/program/log.ts';

/** Watermarks of the connection manager (op-node: `PeersLo`, `PeersHi`, `PeersGrace`). */
export interface PeerLimits {
  /** High and low watermark: pruning starts above `high` peers and ends at `low`. */
  readonly high: number;
  readonly low: number;
  /** Grace period (ms) of a new connection. */
  readonly graceMs: number;
}

/** Settings of the connection manager, and the parts that it works with. */
export interface ConnectionManagerOptions extends PeerLimits {
  readonly isProtected: (id: string) => boolean;
  readonly score: (id: string) => number;
  readonly log: Logger;
}

/** Milliseconds between checks. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Prunes the peers of the lowest scores above the high watermark, down to the low one (op-node: `DefaultConnManager`).
 * Protected peers and new connections stay (specification: rollup node p2p, peer management). Returns a stop function.
 */
export function startConnectionManager(host: Libp2p, options: ConnectionManagerOptions): () => void {
  const { high, low, graceMs, isProtected, score, log } = options;

  function isSettled(id: string): boolean {
    const since = Date.now() - graceMs;
    return host
      .getConnections()
      .some(({ remotePeer, timeline }) => remotePeer.toString() === id && timeline.open <= since);
  }

  function prune(): void {
    const peers = host.getPeers();
    if (peers.length <= high) return;
    const candidates = peers
      .filter((peer) => !isProtected(peer.toString()) && isSettled(peer.toString()))
      .sort((left, right) => score(left.toString()) - score(right.toString()))
      .slice(0, peers.length - low);
    for (const peer of candidates) {
      log.info('pruned a peer', { peer: peer.toString(), connected: peers.length, high, low });
      void host.hangUp(peer).catch((error: unknown) => log.debug('cannot close a connection', { error }));
    }
  }

  const timer = setInterval(prune, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
