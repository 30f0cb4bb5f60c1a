import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { DiscoveryOptions } from './discovery/discovery.ts';
import type { PeerLimits } from './host/connection-manager.ts';
import type { Gater } from './host/gater.ts';
import type { Meter } from './host/meter.ts';
import type { BlockSigner } from './message/signature.ts';
import type { PeerInfo } from './peers/peer-info.ts';

/** Options of the peer-to-peer network (op-node: `SetupP2P`, kona: `NetworkConfig`). */
export interface PeerNetworkOptions {
  readonly rollup: Rollup;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly key: Uint8Array;
  readonly userAgent: string;
  readonly listenIp: string;
  readonly listenPort: number;
  readonly advertise: { readonly ip: string; readonly port: number } | undefined;
  /** UPnP port forwarding; undefined: off. */
  readonly nat: { readonly gateway: string | undefined } | undefined;
  /** undefined: discovery is off. */
  readonly discovery: NetworkDiscovery | undefined;
  readonly staticPeers: readonly string[];
  readonly netRestrict: readonly string[];
  readonly peerLimits: PeerLimits;
  /** File of known peers; undefined: memory only. */
  readonly storePath: string | undefined;
  readonly meter: Meter;
  readonly isScoring: boolean;
  /** Absent: no peer is banned. */
  readonly ban: { readonly threshold: number; readonly durationMs: number } | undefined;
  /** Maximum age (ms) of a gossiped block. */
  readonly maxAgeMs: number;
  /** undefined: block requests are neither sent nor answered. */
  readonly requests: { readonly onlyStatic: boolean } | undefined;
  /** The unsafe block signer in force. */
  readonly unsafeBlockSigner: () => Hex | undefined;
  /** Resolves when the signer is known for the first time. */
  readonly signerKnown: Promise<void>;
  /** A block that passed validation; `peer` sent it. */
  readonly onBlock: (envelope: ExecutionPayloadEnvelope, peer: string) => void;
  readonly payloadByNumber: (number: number) => Promise<ExecutionPayloadEnvelope | null>;
}

/** Options of discovery. */
export interface NetworkDiscovery {
  /** 0: the TCP port. */
  readonly udpPort: number;
  readonly advertise: DiscoveryOptions['advertise'];
  readonly bootnodes: readonly string[];
  /** undefined: memory only. */
  readonly path: string | undefined;
}

/** The peers and block lists (op-node, kona: `PeerDump`). */
export interface PeersDump {
  readonly totalConnected: number;
  readonly peers: Readonly<Record<string, PeerInfo>>;
  readonly bannedPeers: readonly string[];
  readonly bannedIPS: readonly string[];
  readonly bannedSubnets: readonly string[];
}

/** Counts of peers (op-node, kona: `PeerStats`). */
export interface PeerStats {
  readonly connected: number;
  readonly table: number;
  readonly blocksTopic: number;
  readonly blocksTopicV2: number;
  readonly blocksTopicV3: number;
  readonly blocksTopicV4: number;
  readonly banned: number;
  readonly known: number;
}

/** The peer-to-peer network, as the rest of the node uses it (op-node: `NodeP2P`). */
export interface PeerNetwork {
  readonly peerId: string;
  /** TCP port that it listens on. */
  readonly port: number;
  readonly gater: Gater;
  self(): PeerInfo;
  peers(isConnectedOnly: boolean): Promise<PeersDump>;
  stats(): PeerStats;
  /** Counts the open streams with peers. */
  streams(): number;
  /** Records found by discovery (op-node: `DiscoveryTable`); undefined if it is off. */
  table(): string[] | undefined;
  /** Signs and gossips a block (op-node: `PublishL2Payload`). Returns the number of recipients. */
  publish(envelope: ExecutionPayloadEnvelope, signer: BlockSigner): Promise<number>;
  /** Requests the block of a height and hash from one peer after the other (op-node: `RequestL2Range`). */
  request(number: number, hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  /** Sends and accepts no block until `resume`: the network goes back to an earlier moment. */
  suspend(): void;
  /** Forgets all messages and blocks: the same heights are made again, and may be the same blocks. */
  forget(): void;
  resume(): void;
  /** Protects a peer from pruning, or ends that (op-node: `ProtectPeer`, `UnprotectPeer`). */
  protect(id: string, isProtected: boolean): void;
  /** Dials a peer (op-node: `ConnectPeer`). */
  connect(address: string): Promise<void>;
  /** Closes the connections of a peer and lifts its block (op-node: `DisconnectPeer`). */
  disconnect(id: string): Promise<void>;
  stop(): Promise<void>;
}
