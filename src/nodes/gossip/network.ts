import { TopicValidatorResult } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { concat } from '../../protocol/bytes.ts';
import { encodeGossipBody, GOSSIP_VERSIONS, gossipTopic } from '../../protocol/codec/gossip.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import type { Clock } from '../../system/clock.ts';
import type { Logger } from '../../system/log.ts';
import { pause } from '../../system/pause.ts';
import { blockRequestProtocol, requestBlock, serveBlockRequests } from './block-request.ts';
import { addressOf, createGater, type Gater } from './gater.ts';
import { messageData, startHost } from './host.ts';
import { serveLatecomers } from './latecomers.ts';
import { gossipScore, NO_REQUESTS, type PeerInfo, peerInfo, type RequestScores, selfInfo } from './peer-info.ts';
import type { BlockSigner } from './signature.ts';
import { compressBlock } from './snappy.ts';
import { keepConnected, parseStaticPeer } from './static-peers.ts';
import { createValidator } from './validate.ts';

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
  readonly staticPeers: readonly string[];
  readonly netRestrict: readonly string[];
  readonly maxPeers: number;
  readonly isScoring: boolean;
  /** Absent: nobody is banned. */
  readonly ban: { readonly threshold: number; readonly durationMs: number } | undefined;
  /** Milliseconds that a gossiped block may be behind the clock. */
  readonly maxAgeMs: number;
  /** undefined: blocks are not asked for and requests not answered. */
  readonly requests: { readonly onlyStatic: boolean } | undefined;
  /** The unsafe block signer in force. */
  readonly unsafeBlockSigner: () => Hex | undefined;
  /** Resolves when the signer is known for the first time. */
  readonly signerKnown: Promise<void>;
  /** A block that passed validation; `peer` sent it. */
  readonly onBlock: (envelope: ExecutionPayloadEnvelope, peer: string) => void;
  readonly payloadByNumber: (number: number) => Promise<ExecutionPayloadEnvelope | null>;
}

export interface PeersDump {
  readonly totalConnected: number;
  readonly peers: Readonly<Record<string, PeerInfo>>;
  readonly bannedPeers: readonly string[];
  readonly bannedIPS: readonly string[];
  readonly bannedSubnets: readonly string[];
}

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

/** The peer-to-peer network as the rest of the node uses it. */
export interface PeerNetwork {
  readonly peerId: string;
  /** TCP port that it listens on. */
  readonly port: number;
  readonly gater: Gater;
  self(): PeerInfo;
  peers(isConnectedOnly: boolean): Promise<PeersDump>;
  stats(): PeerStats;
  /** Signs and gossips a block; returns how many peers it was sent to. */
  publish(envelope: ExecutionPayloadEnvelope, signer: BlockSigner): Promise<number>;
  /** Asks one peer after the other for the block of a height. */
  request(number: number): Promise<ExecutionPayloadEnvelope | null>;
  protect(id: string, isProtected: boolean): void;
  connect(address: string): Promise<void>;
  disconnect(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds between looks at peers' scores. */
const BAN_INTERVAL = 2_000;
/** Milliseconds that a message waits for the signer to be known. */
const SIGNER_GRACE = 5_000;

const RESULTS = {
  accept: TopicValidatorResult.Accept,
  ignore: TopicValidatorResult.Ignore,
  reject: TopicValidatorResult.Reject,
} as const;

/** Starts the network. @throws the listen error; Error on a static peer or subnet that cannot be parsed */
export async function startPeerNetwork(options: PeerNetworkOptions): Promise<PeerNetwork> {
  const { rollup, log, signal } = options;
  const chainId = rollup.config.l2_chain_id;
  const gater = createGater(options.netRestrict, enforce);
  const host = await startHost({ ...options, chainId, maxConnections: options.maxPeers, gater });
  const { pubsub } = host.services;
  const remember = serveLatecomers(pubsub, signal);
  const statics = options.staticPeers.map(parseStaticPeer).filter(({ id }) => !id.equals(host.peerId));
  const protectedPeers = new Set(statics.map(({ id }) => id.toString()));
  const known = new Set<string>(protectedPeers);
  const requestScores = new Map<string, RequestScores>();

  function enforce(): void {
    for (const connection of host.getConnections())
      if (!gater.allows(connection.remotePeer.toString(), addressOf(connection.remoteAddr)))
        void connection.close().catch((error: Error) => connection.abort(error));
  }

  host.addEventListener('peer:connect', ({ detail }) => {
    known.add(detail.toString());
    log.info('connected with a peer', { peer: detail.toString() });
  });
  host.addEventListener('peer:disconnect', ({ detail }) => log.info('a peer is gone', { peer: detail.toString() }));

  const validate = createValidator({
    chainId,
    rulesAt: rollup.rulesAt,
    now: () => options.clock.now(),
    maxAgeMs: options.maxAgeMs,
    signer: options.unsafeBlockSigner,
  });
  for (const version of GOSSIP_VERSIONS) {
    const topic = gossipTopic(chainId, version);
    pubsub.topicValidators.set(topic, async (peer, message) => {
      // A block that arrives while this node starts is judged once it can be, not lost.
      if (options.unsafeBlockSigner() === undefined)
        await Promise.race([options.signerKnown, pause(SIGNER_GRACE, signal)]);
      const data = messageData(message.data);
      const judged = data ? validate(data, version) : { verdict: 'reject' as const, reason: 'no snappy block' };
      if (judged.verdict === 'accept') {
        options.onBlock(judged.envelope, peer.toString());
        remember({ topic, data: message.data });
      } else log.debug('a gossiped message is not passed on', { peer: peer.toString(), topic, ...judged });
      return RESULTS[judged.verdict];
    });
    pubsub.subscribe(topic);
  }
  if (options.requests) await serveBlockRequests(host, rollup, options.payloadByNumber, log);

  for (const peer of statics)
    void keepConnected(
      peer,
      {
        self: host.peerId,
        isConnected: (id) => host.getConnections(id).length > 0,
        dial: (address, dialSignal) => host.dial(address, { signal: dialSignal }),
        disconnected: (id, until) => disconnected(host, id, until),
      },
      log,
      signal,
    );

  const banTimer =
    options.ban && setInterval(() => ban(options.ban as { threshold: number; durationMs: number }), BAN_INTERVAL);
  banTimer?.unref();

  function ban({ threshold, durationMs }: { threshold: number; durationMs: number }): void {
    for (const peer of host.getPeers()) {
      const id = peer.toString();
      if (protectedPeers.has(id) || gossipScore(pubsub, id) >= threshold) continue;
      log.warn('a peer is banned for its score', { peer: id, score: gossipScore(pubsub, id) });
      gater.blockPeer(id);
      setTimeout(() => gater.unblockPeer(id), durationMs).unref();
    }
  }

  function count(id: string, change: Partial<RequestScores>): void {
    const before = requestScores.get(id) ?? NO_REQUESTS;
    requestScores.set(id, {
      validResponses: before.validResponses + (change.validResponses ?? 0),
      errorResponses: before.errorResponses + (change.errorResponses ?? 0),
      rejectedPayloads: before.rejectedPayloads + (change.rejectedPayloads ?? 0),
    });
  }

  async function askable(): Promise<PeerId[]> {
    const protocol = blockRequestProtocol(chainId);
    const peers: PeerId[] = [];
    for (const peer of host.getPeers()) {
      if (options.requests?.onlyStatic && !protectedPeers.has(peer.toString())) continue;
      const stored = await host.peerStore.get(peer).catch(() => undefined);
      if (stored?.protocols.includes(protocol)) peers.push(peer);
    }
    return peers;
  }

  const context = {
    host,
    chainId,
    isProtected: (id: string) => protectedPeers.has(id),
    requests: (id: string) => requestScores.get(id) ?? NO_REQUESTS,
  };
  const subscribers = (version: 1 | 2 | 3 | 4) => pubsub.getSubscribers(gossipTopic(chainId, version)).length;

  return {
    peerId: host.peerId.toString(),
    port: listenPort(host.getMultiaddrs().map((address) => address.toString())),
    gater,
    self: () => selfInfo(host, chainId),
    async peers(isConnectedOnly) {
      const connected = host.getPeers();
      const others = isConnectedOnly
        ? []
        : [...known].filter((id) => connected.every((peer) => peer.toString() !== id));
      const ids = [...connected, ...others.map((id) => peerIdFromString(id))];
      const infos = await Promise.all(ids.map((id) => peerInfo(context, id)));
      return {
        totalConnected: connected.length,
        peers: Object.fromEntries(infos.map((info) => [info.peerID, info])),
        bannedPeers: gater.blockedPeers(),
        bannedIPS: gater.blockedAddresses(),
        bannedSubnets: gater.blockedSubnets(),
      };
    },
    stats: () => ({
      connected: host.getPeers().length,
      table: 0,
      blocksTopic: subscribers(1),
      blocksTopicV2: subscribers(2),
      blocksTopicV3: subscribers(3),
      blocksTopicV4: subscribers(4),
      banned: gater.blockedPeers().length,
      known: known.size,
    }),
    async publish(envelope, signer) {
      const { version } = rollup.rulesAt(envelope.executionPayload.timestamp).gossip;
      const body = encodeGossipBody(envelope, version);
      const message = compressBlock(concat(signer.sign(body, chainId), body));
      const topic = gossipTopic(chainId, version);
      const { recipients } = await pubsub.publish(topic, message);
      remember({ topic, data: message, recipients });
      return recipients.length;
    },
    async request(number) {
      if (!options.requests) return null;
      for (const peer of await askable()) {
        try {
          const envelope = await requestBlock(host, peer, rollup, number);
          count(peer.toString(), { validResponses: 1 });
          if (envelope) return envelope;
        } catch (error) {
          count(peer.toString(), { errorResponses: 1 });
          log.debug('a block request failed', { peer: peer.toString(), number, error });
        }
      }
      return null;
    },
    protect(id, isProtected) {
      const name = peerIdFromString(id).toString();
      if (isProtected) protectedPeers.add(name);
      else protectedPeers.delete(name);
    },
    connect: async (address) => void (await host.dial(multiaddr(address), { signal: AbortSignal.timeout(10_000) })),
    disconnect: (id) => host.hangUp(peerIdFromString(id)),
    async stop() {
      clearInterval(banTimer);
      await host.stop();
    },
  };
}

function disconnected(
  host: { getConnections(id: PeerId): unknown[] } & EventSource,
  id: PeerId,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!signal.aborted && host.getConnections(id).length > 0) return;
      host.removeEventListener('connection:close', check);
      resolve();
    };
    host.addEventListener('connection:close', check);
    signal.addEventListener('abort', check, { once: true });
    check();
  });
}

interface EventSource {
  addEventListener(type: 'connection:close', listener: () => void): void;
  removeEventListener(type: 'connection:close', listener: () => void): void;
}

function listenPort(addresses: readonly string[]): number {
  return Number(/\/tcp\/(\d+)/.exec(addresses[0] ?? '')?.[1] ?? 0);
}
