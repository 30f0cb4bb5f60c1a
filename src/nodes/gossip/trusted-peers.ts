import type { PeerId } from '@libp2p/interface';
import type { Logger } from '../../system/program/log.ts';
import { waitUntilDisconnected } from './host/connections.ts';
import type { Host } from './host/host.ts';
import { keepConnected, parseStaticPeer, type StaticPeer } from './static-peers.ts';

/**
 * The static peers, and the peers that an RPC call protects from pruning.
 * Counterparts in op-node: `StaticPeers`, `IsStatic`, `ProtectPeer`.
 */
export class TrustedPeers {
  readonly statics: readonly StaticPeer[];
  readonly #staticIds: ReadonlySet<string>;
  readonly #protectedIds: Set<string>;

  /** `self`: an address of this node is no peer. @throws Error on an address that is not a multiaddr with a peer id */
  constructor(addresses: readonly string[], self: PeerId) {
    this.statics = addresses.map(parseStaticPeer).filter(({ id }) => !id.equals(self));
    this.#staticIds = new Set(this.statics.map(({ id }) => id.toString()));
    this.#protectedIds = new Set(this.#staticIds);
  }

  readonly isStatic = (id: string): boolean => this.#staticIds.has(id);

  readonly isProtected = (id: string): boolean => this.#protectedIds.has(id);

  protect(id: string): void {
    this.#protectedIds.add(id);
  }

  /** Ends the protection of a peer. That of a static peer stays. */
  unprotect(id: string): void {
    if (!this.isStatic(id)) this.#protectedIds.delete(id);
  }

  /** Keeps a connection with each static peer until aborted. */
  keepConnected(host: Host, log: Logger, signal: AbortSignal): void {
    const dialer = {
      self: host.peerId,
      isConnected: (id: PeerId) => host.getConnections(id).length > 0,
      dial: (address: StaticPeer['address'], dialSignal: AbortSignal) => host.dial(address, { signal: dialSignal }),
      missing: () => this.statics.filter(({ id }) => host.getConnections(id).length === 0).length,
      isAccepting: () => host.services.handshakes.inbound() > 0,
      disconnected: (id: PeerId, until: AbortSignal) => waitUntilDisconnected(host, id, until),
    };
    for (const peer of this.statics) void keepConnected(peer, dialer, log, signal);
  }
}
