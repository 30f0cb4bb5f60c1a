import type { Libp2p } from '@libp2p/interface';
import type { Logger } from '../../system/log.ts';

export interface Tides {
  /** Peers above which pruning starts, and down to which it goes. */
  readonly high: number;
  readonly low: number;
  /** Milliseconds that a new connection is left alone. */
  readonly graceMs: number;
}

export interface TidesOptions extends Tides {
  readonly isProtected: (id: string) => boolean;
  readonly score: (id: string) => number;
  readonly log: Logger;
}

/** Milliseconds between looks. */
const INTERVAL = 1_000;

/**
 * Prunes peers: above the high tide the worst go until the low tide is reached, but none that is protected or in its grace (specification: rollup node p2p,
 * peer management). Returns what ends it.
 */
export function startTides(host: Libp2p, options: TidesOptions): () => void {
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
      log.info('a peer is pruned', { peer: peer.toString(), connected: peers.length, high, low });
      void host.hangUp(peer).catch((error: unknown) => log.debug('cannot hang up', { error }));
    }
  }

  const timer = setInterval(prune, INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}
