import { createHash } from 'node:crypto';
import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { type GossipSub, gossipsub } from '@libp2p/gossipsub';
import { type Identify, identify } from '@libp2p/identify';
import type { Libp2p } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { GOSSIP_VERSIONS, gossipMessageId, gossipTopic } from '../../protocol/codec/gossip.ts';
import { patientYamux } from './early-streams.ts';
import type { Gater } from './gater.ts';
import { type ScoringOptions, scoring } from './scores.ts';
import { decodeBlock } from './snappy-block.ts';
import { tcpTransport } from './tcp-transport.ts';
import { MESSAGE_SIZE } from './validate.ts';

export interface HostOptions {
  /** secp256k1, 32 bytes: the peer id. */
  readonly key: Uint8Array;
  readonly chainId: number;
  readonly listenIp: string;
  /** 0: any. */
  readonly listenPort: number;
  /** Told to peers instead of the listen address. */
  readonly advertise: { readonly ip: string; readonly port: number } | undefined;
  readonly maxConnections: number;
  /** undefined: peers are not scored. */
  readonly scoring: ScoringOptions | undefined;
  readonly userAgent: string;
  readonly gater: Gater;
}

/** Addresses beside those that it listens on, by which others forward to them. */
export interface Forwarded {
  /** Tells peers of it from now on. */
  add(from: Endpoint, to: Endpoint): void;
  remove(from: Endpoint, to: Endpoint): void;
}

interface Endpoint {
  readonly ip: string;
  readonly port: number;
}

export type Host = Libp2p<{ identify: Identify; pubsub: GossipSub; forwarded: Forwarded }>;

/** Decompressed messages by the very bytes that arrived, so that id and validation decompress once. */
const decompressed = new WeakMap<Uint8Array, { readonly data: Uint8Array | undefined }>();

/** The last millisecond that a date can be. */
const LAST_DATE = 8_640_000_000_000_000;
/** Handshakes under way at once, and connections of an address in a second. */
const MOST_PENDING = 1_000;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** The data of a gossiped message; undefined where it is no snappy block of an allowed size. */
export function messageData(raw: Uint8Array): Uint8Array | undefined {
  const known = decompressed.get(raw);
  if (known) return known.data;
  const data = decodeBlock(raw, MESSAGE_SIZE.most);
  decompressed.set(raw, { data });
  return data;
}

/** Starts libp2p: TCP, noise, yamux, identify and gossipsub (specification: rollup node p2p). @throws the listen error */
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
    streamMuxers: [patientYamux()],
    connectionGater: options.gater.connectionGater,
    connectionManager: {
      maxConnections,
      // All peers of a local network dial from one address, at once; who connects and says nothing must not take their places.
      inboundConnectionThreshold: MOST_PENDING,
      maxIncomingPendingConnections: MOST_PENDING,
      // Static peers are kept by a loop of this program.
      reconnectRetries: 0,
    },
    connectionMonitor: { enabled: false },
    services: {
      identify: identify(),
      forwarded,
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
        // One encoding for all of them.
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

/** The part of libp2p's address book that forwarding needs. */
interface AddressBook {
  addPublicAddressMapping(ip: string, port: number, fromIp: string, fromPort: number, protocol: 'tcp'): void;
  removePublicAddressMapping(ip: string, port: number, fromIp: string, fromPort: number, protocol: 'tcp'): void;
  confirmObservedAddr(address: Multiaddr, options: { ttl: number }): void;
}

/** What a router says of itself is believed: no peer is asked to dial it first. */
function forwarded({ addressManager: book }: { addressManager: AddressBook }): Forwarded {
  return {
    add(from, to) {
      book.addPublicAddressMapping(to.ip, to.port, from.ip, from.port, 'tcp');
      const ttl = LAST_DATE - Date.now();
      book.confirmObservedAddr(multiaddr(`/${family(from.ip)}/${from.ip}/tcp/${from.port}`), { ttl });
    },
    remove: (from, to) => book.removePublicAddressMapping(to.ip, to.port, from.ip, from.port, 'tcp'),
  };
}

function family(address: string): string {
  return address.includes(':') ? 'ip6' : /^[\d.]+$/.test(address) ? 'ip4' : 'dns4';
}
