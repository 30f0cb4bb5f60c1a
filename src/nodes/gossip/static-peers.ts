import type { PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import type { Logger } from '../../system/program/log.ts';
import { pause } from '../../system/time/pause.ts';

/** A peer with a permanent connection (op-node: `StaticPeers`). */
export interface StaticPeer {
  readonly id: PeerId;
  readonly address: Multiaddr;
}

/**
 * Backoff (ms) between dials: first, maximum, and for each further peer that is not connected. A dial takes 2 ms of the
 * processor. Of two nodes that start, the later one dials the other at once, so that the other's retries gain little.
 */
const RETRY = { first: 20, most: 250, perPeer: 250 };
/**
 * Delay (ms) before a dial by the peer with the larger id, so that two peers do not connect twice.
 * It grows with each further peer that is not connected, up to the maximum while other peers' dials are answered.
 */
const YIELD = { first: 60, perPeer: 150, most: 15_000 };
const DIAL_TIMEOUT_MS = 30_000;

/** Parses a multiaddr with its peer id. @throws Error that names the missing part */
export function parseStaticPeer(text: string): StaticPeer {
  let address: Multiaddr;
  try {
    address = multiaddr(text);
  } catch (cause) {
    throw new Error(`p2p.static: ${JSON.stringify(text)} is not a multiaddr`, { cause });
  }
  const id = address.getComponents().findLast(({ name }) => name === 'p2p')?.value;
  if (id === undefined) throw new Error(`p2p.static: ${text} ends with no /p2p/<peer id>`);
  return { id: peerIdFromString(id), address };
}

/** The part of the host that dials. */
export interface Dialer {
  readonly self: PeerId;
  isConnected(id: PeerId): boolean;
  dial(address: Multiaddr, signal: AbortSignal): Promise<unknown>;
  /** Number of static peers that are not connected. */
  missing(): number;
  /** Whether a peer has dialled this node, and their handshake is in progress. */
  isAccepting(): boolean;
  /** Resolves when the peer has no connection any more. */
  disconnected(id: PeerId, signal: AbortSignal): Promise<void>;
}

/** Keeps a connection with the peer until aborted (op-node: `initStaticPeers`, `monitorStaticPeers`). */
export async function keepConnected(peer: StaticPeer, dialer: Dialer, log: Logger, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    if (dialer.self.toString() > peer.id.toString()) await yieldDial(peer, dialer, signal);
    try {
      if (!dialer.isConnected(peer.id))
        await dialer.dial(peer.address, AbortSignal.any([signal, AbortSignal.timeout(DIAL_TIMEOUT_MS)]));
      log.debug('connected with a static peer', { peer: peer.id.toString(), failures });
      failures = 0;
      await dialer.disconnected(peer.id, signal);
    } catch (error) {
      if (++failures === 20)
        log.warn('cannot dial a static peer; the dials go on', { peer: peer.address.toString(), error });
    }
    await pause(retryDelay(failures, dialer.missing()), signal);
  }
}

function retryDelay(failures: number, missing: number): number {
  const backoff = Math.min(RETRY.most, RETRY.first * 2 ** Math.max(0, failures - 5));
  return Math.max(backoff, RETRY.perPeer * (missing - 1));
}

/** Waits for a dial by the other peer. Where all start at once, most second connections are not made. */
async function yieldDial({ id }: StaticPeer, dialer: Dialer, signal: AbortSignal): Promise<void> {
  const end = performance.now() + YIELD.most;
  do await pause(YIELD.first + YIELD.perPeer * Math.max(0, dialer.missing() - 1), signal);
  while (!signal.aborted && !dialer.isConnected(id) && dialer.isAccepting() && performance.now() < end);
}
