import { createHash } from 'node:crypto';
import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { type GossipSub, gossipsub } from '@libp2p/gossipsub';
import { type Identify, identify } from '@libp2p/identify';
import type { Libp2p } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { GOSSIP_VERSIONS, gossipMessageId, gossipTopic } from '../../../protocol/codec/gossip.ts';
import { decodeBlock } from '../message/snappy-block.ts';
import { MESSAGE_SIZE } from '../message/validate.ts';
import type { Gater } from './gater.ts';
import { type ScoringOptions, scoring } from './scores.ts';
import { yamuxWithBackpressure } from './stream-backpressure.ts';
import { tcpTransport } from './tcp-transport.ts';

/** Settings of the libp2p host (op-node: `Config.Host`). */
export interface HostOptions {
  /** secp256k1, 32 bytes: the peer id. */
  readonly key: Uint8Array;
  readonly chainId: number;
  readonly listenIp: string;
  /** 0: any. */
  readonly listenPort: number;
  /** Advertised to peers in place of the listen address. */
  readonly advertise: { readonly ip: string; readonly port: number } | undefined;
  readonly maxConnections: number;
  /** undefined: peers are not scored. */
  readonly scoring: ScoringOptions | undefined;
  readonly userAgent: string;
  readonly gater: Gater;
}

/** External addresses that forward to the listen addresses. */
export interface Forwarded {
  /** Advertises the address from now on. */
  add(from: Endpoint, to: Endpoint): void;
  remove(from: Endpoint, to: Endpoint): void;
}

interface Endpoint {
  readonly ip: string;
  readonly port: number;
}

/** The handshakes in progress. */
export interface Handshakes {
  /** Number of those with peers that dialled this node. */
  inbound(): number;
}

/** The libp2p host with its services. */
export type Host = Libp2p<{ identify: Identify; pubsub: GossipSub; forwarded: Forwarded; handshakes: Handshakes }>;

/** Decompressed messages by the identity of the received bytes, so that message id and validation decompress once. */
const decompressed = new WeakMap<Uint8Array, { readonly data: Uint8Array | undefined }>();

/** The largest Unix time (ms) that a Date holds. */
const LAST_DATE_MS = 8_640_000_000_000_000;
/** Limits of concurrent handshakes, and of connections per second from one address. */
const MOST_PENDING = 1_000;
/** Limit of concurrent dials. With more of them on a busy machine each takes longer, and is given up more often. */
const MOST_DIALS = 4;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Returns the data of a gossiped message; undefined for a broken or oversized snappy block. */
export function messageData(raw: Uint8Array): Uint8Array | undefined {
  const entry = decompressed.get(raw);
  if (entry) return entry.data;
  const data = decodeBlock(raw, MESSAGE_SIZE.most);
  decompressed.set(raw, { data });
  return data;
}

/**
 * Starts libp2p: TCP, noise, yamux, identify, gossipsub (op-node: `Config.Host`, `NewGossipSub`; kona: `Behaviour`).
 * Message ids are those of `BuildMsgIdFn`, the parameters those of `BuildGlobalGossipParams` in op-node. The topics are
 * those of its `BuildSubscriptionFilter`. Specification: rollup node p2p. @throws the listen error
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const { listenIp, listenPort, advertise, maxConnections } = options;
  return createLibp2p({
    privateKey: privateKeyFromRaw(options.key),
    nodeInfo: { userAgent: options.userAgent },
    addresses: {
      listen: [`/${family(listenIp)}/${listenIp}/tcp/${listenPort}`],
      ...(advertise ? { announce: [`/${family(advertise.ip)}/${advertise.ip}/tcp/${advertise.port}`] } : {}),
    },
    transports: [tcpTransport()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamuxWithBackpressure()],
    connectionGater: options.gater.connectionGater,
    connectionManager: {
      maxConnections,
      maxParallelDials: MOST_DIALS,
      // All peers of a local network dial at once from one address. Idle connections must not use up that limit.
      inboundConnectionThreshold: MOST_PENDING,
      maxIncomingPendingConnections: MOST_PENDING,
      // static-peers.ts keeps the connections with static peers.
      reconnectRetries: 0,
    },
    connectionMonitor: { enabled: false },
    services: {
      identify: identify(),
      forwarded,
      handshakes,
      pubsub: gossipsub({
        globalSignaturePolicy: 'StrictNoSign',
        allowedTopics: GOSSIP_VERSIONS.map((version) => gossipTopic(options.chainId, version)),
        msgIdFn: ({ topic, data }) => {
          const inner = messageData(data);
          return gossipMessageId(topic, inner ?? data, inner !== undefined, sha256);
        },
        allowPublishToZeroTopicPeers: true,
        ignoreDuplicatePublishError: true,
        floodPublish: true,
        // One encoding for all recipients.
        batchPublish: true,
        emitSelf: false,
        fallbackToFloodsub: false,
        doPX: false,
        heartbeatInterval: 500,
        D: 8,
        Dlo: 6,
        Dhi: 12,
        Dlazy: 6,
        mcacheLength: 12,
        mcacheGossip: 3,
        fanoutTTL: 24_000,
        seenTTL: 65_000,
        maxInboundDataLength: MESSAGE_SIZE.most + 1024,
        maxOutboundBufferSize: 4 * MESSAGE_SIZE.most,
        ...scoring(options.scoring),
      }),
    },
  });
}

/** The part of libp2p's address manager that port forwarding needs. */
interface AddressBook {
  addPublicAddressMapping(ip: string, port: number, fromIp: string, fromPort: number, protocol: 'tcp'): void;
  removePublicAddressMapping(ip: string, port: number, fromIp: string, fromPort: number, protocol: 'tcp'): void;
  confirmObservedAddr(address: Multiaddr, options: { ttl: number }): void;
}

/** Creates the service for forwarded addresses. It trusts the router: no peer has to confirm an address by a dial. */
function forwarded({ addressManager: book }: { addressManager: AddressBook }): Forwarded {
  return {
    add(from, to) {
      book.addPublicAddressMapping(to.ip, to.port, from.ip, from.port, 'tcp');
      const ttl = LAST_DATE_MS - Date.now();
      book.confirmObservedAddr(multiaddr(`/${family(from.ip)}/${from.ip}/tcp/${from.port}`), { ttl });
    },
    remove: (from, to) => book.removePublicAddressMapping(to.ip, to.port, from.ip, from.port, 'tcp'),
  };
}

/** Creates the service that counts handshakes. The library counts them for its own limit. */
function handshakes({ connectionManager }: { connectionManager: object }): Handshakes {
  return { inbound: () => Number(Reflect.get(connectionManager, 'incomingPendingConnections') ?? 0) };
}

function family(address: string): string {
  return address.includes(':') ? 'ip6' : /^[\d.]+$/.test(address) ? 'ip4' : 'dns4';
}
