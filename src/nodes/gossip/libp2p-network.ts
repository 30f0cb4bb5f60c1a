import { peerIdFromString } from '@libp2p/peer-id';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import type { Discovery } from './discovery/discovery.ts';
import { DIAL_TIMEOUT_MS } from './host/connections.ts';
import type { Gater } from './host/gater.ts';
import type { Host } from './host/host.ts';
import { readPeerAddress, readPeerId } from './host/peer-argument.ts';
import type { BlockSigner } from './message/signature.ts';
import type { PeerNetwork, PeerStats, PeersDump } from './peer-network.ts';
import type { PeerBook } from './peers/peer-book.ts';
import { type PeerInfo, peerInfo, selfInfo } from './peers/peer-info.ts';
import type { Ping } from './requests/ping.ts';
import type { BlockTopics } from './topics.ts';
import type { TrustedPeers } from './trusted-peers.ts';

/** The running parts of the network. */
export interface NetworkServices {
  readonly host: Host;
  readonly chainId: number;
  /** TCP port that the host listens on. */
  readonly port: number;
  readonly book: PeerBook;
  readonly trusted: TrustedPeers;
  readonly topics: BlockTopics;
  readonly ping: Ping;
  /** Returns null if no peer has the block, and if block requests are off. */
  readonly request: (number: number, hash: Hex) => Promise<ExecutionPayloadEnvelope | null>;
  /** undefined: discovery is off. */
  readonly discovery: Discovery | undefined;
  /** Ends the timers of the network, then discovery. */
  readonly stop: () => Promise<void>;
}

/** The peer-to-peer network over libp2p (op-node: `NodeP2P`, `APIBackend`). */
export class Libp2pNetwork implements PeerNetwork {
  readonly peerId: string;
  readonly port: number;
  readonly gater: Gater;
  readonly #services: NetworkServices;

  constructor(services: NetworkServices) {
    this.peerId = services.host.peerId.toString();
    this.port = services.port;
    this.gater = services.book.gater;
    this.#services = services;
  }

  self(): PeerInfo {
    const { host, chainId, discovery } = this.#services;
    return selfInfo(host, chainId, discovery?.enr() ?? '');
  }

  async peers(isConnectedOnly: boolean): Promise<PeersDump> {
    const { host, chainId, book, trusted, ping } = this.#services;
    const connected = host.getPeers();
    const others = isConnectedOnly
      ? []
      : [...book.addresses.keys()].filter((id) => connected.every((peer) => peer.toString() !== id));
    const ids = [...connected, ...others.map((id) => peerIdFromString(id))];
    const context = {
      host,
      chainId,
      isProtected: trusted.isProtected,
      requests: book.scorer.of,
      latency: ping.latency,
      addresses: (id: string) => book.addresses.get(id) ?? [],
      record: (id: string) => book.record(id),
    };
    const infos = await Promise.all(ids.map((id) => peerInfo(context, id)));
    return {
      totalConnected: connected.length,
      peers: Object.fromEntries(infos.map((info) => [info.peerID, info])),
      bannedPeers: book.bannedPeers(),
      bannedIPS: book.gater.blockedAddresses(),
      bannedSubnets: book.gater.blockedSubnets(),
    };
  }

  stats(): PeerStats {
    const { host, book, topics, discovery } = this.#services;
    return {
      connected: host.getPeers().length,
      table: discovery?.table().length ?? 0,
      blocksTopic: topics.subscribers(1),
      blocksTopicV2: topics.subscribers(2),
      blocksTopicV3: topics.subscribers(3),
      blocksTopicV4: topics.subscribers(4),
      banned: book.bannedPeers().length,
      known: book.addresses.size,
    };
  }

  streams(): number {
    return this.#services.host.getConnections().reduce((total, { streams }) => total + streams.length, 0);
  }

  table(): string[] | undefined {
    return this.#services.discovery?.table();
  }

  publish(envelope: ExecutionPayloadEnvelope, signer: BlockSigner): Promise<number> {
    return this.#services.topics.publish(envelope, signer);
  }

  request(number: number, hash: Hex): Promise<ExecutionPayloadEnvelope | null> {
    return this.#services.request(number, hash);
  }

  suspend(): void {
    this.#services.topics.suspend();
  }

  forget(): void {
    this.#services.topics.forget();
  }

  resume(): void {
    this.#services.topics.resume();
  }

  protect(id: string, isProtected: boolean): void {
    const { trusted } = this.#services;
    const name = readPeerId(id).toString();
    if (isProtected) trusted.protect(name);
    else trusted.unprotect(name);
  }

  async connect(address: string): Promise<void> {
    await this.#services.host.dial(readPeerAddress(address), { signal: AbortSignal.timeout(DIAL_TIMEOUT_MS) });
  }

  async disconnect(id: string): Promise<void> {
    const { host, book, trusted } = this.#services;
    const peer = readPeerId(id);
    await host.hangUp(peer);
    book.gater.unblockPeer(id);
    if (!trusted.isStatic(peer.toString())) book.remove(peer.toString());
  }

  async stop(): Promise<void> {
    const { host, book, stop } = this.#services;
    await stop();
    await host.stop();
    book.close();
  }
}
