import type { GossipSub } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { GOSSIP_VERSIONS, gossipTopic } from '../../../protocol/codec/gossip.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { pointOf } from '../../crypto/secp256k1.ts';
import type { Host } from '../host/host.ts';
import type { GossipScores } from '../host/scores.ts';
import { NO_REQ_RESP_SCORES, type ReqRespScores } from '../requests/application-score.ts';
import { blockRequestProtocol } from '../requests/block-protocol.ts';

/** A peer in the shape of op-node's and kona's `PeerInfo`. */
export interface PeerInfo {
  readonly peerID: string;
  readonly nodeID: string;
  readonly userAgent: string;
  readonly protocolVersion: string;
  readonly ENR: string;
  readonly addresses: readonly string[];
  readonly protocols: readonly string[] | null;
  /** 0 not connected, 1 connected. */
  readonly connectedness: number;
  /** 0 unknown, 1 inbound, 2 outbound. */
  readonly direction: number;
  readonly protected: boolean;
  readonly chainID: number;
  /** Round-trip time (ns); 0: not known. */
  readonly latency: number;
  readonly gossipBlocks: boolean;
  readonly scores: {
    readonly gossip: GossipScores;
    readonly reqResp: ReqRespScores;
  };
}

/** Returns the peer info of this node (op-node: `APIBackend.Self`). */
export function selfInfo(host: Host, chainId: number, enr: string): PeerInfo {
  return {
    peerID: host.peerId.toString(),
    nodeID: nodeId(host.peerId),
    userAgent: '',
    protocolVersion: '',
    ENR: enr,
    addresses: host.getMultiaddrs().map((address) => address.toString()),
    protocols: host.getProtocols(),
    connectedness: 0,
    direction: 0,
    protected: false,
    chainID: chainId,
    latency: 0,
    gossipBlocks: true,
    scores: { gossip: gossipScores(undefined, ''), reqResp: NO_REQ_RESP_SCORES },
  };
}

/** The parts from which peer infos are read. */
export interface PeerContext {
  readonly host: Host;
  readonly chainId: number;
  readonly isProtected: (id: string) => boolean;
  readonly requests: (id: string) => ReqRespScores;
  /** Returns the round-trip time (ns); 0: not known. */
  readonly latency: (id: string) => number;
  /** Returns the addresses at which a peer can be dialled. */
  readonly addresses: (id: string) => readonly string[];
  /** Returns the node record that discovery found. */
  readonly record: (id: string) => { readonly enr: string; readonly chainId: number } | undefined;
}

/** Returns the peer info of another peer (op-node: `dumpPeer`). */
export async function peerInfo(context: PeerContext, id: PeerId): Promise<PeerInfo> {
  const { host, chainId } = context;
  const peerID = id.toString();
  const [connection] = host.getConnections(id);
  const stored = await host.peerStore.get(id).catch(() => undefined);
  const text = (key: string) => new TextDecoder().decode(stored?.metadata.get(key));
  const protocols = stored?.protocols ?? [];
  const record = context.record(peerID);
  const topics = GOSSIP_VERSIONS.map((version) => gossipTopic(chainId, version));
  const gossips = topics.some((topic) => host.services.pubsub.getSubscribers(topic).some((peer) => peer.equals(id)));
  return {
    peerID,
    nodeID: nodeId(id),
    userAgent: text('AgentVersion'),
    protocolVersion: text('ProtocolVersion'),
    ENR: record?.enr ?? '',
    addresses: addressesOf(peerID, [
      ...(connection ? [connection.remoteAddr.toString()] : []),
      ...(stored?.addresses ?? []).map(({ multiaddr }) => multiaddr.toString()),
      ...context.addresses(peerID),
    ]),
    protocols,
    connectedness: connection ? 1 : 0,
    direction: connection === undefined ? 0 : connection.direction === 'inbound' ? 1 : 2,
    protected: context.isProtected(peerID),
    chainID: record?.chainId ?? (gossips || protocols.includes(blockRequestProtocol(chainId)) ? chainId : 0),
    latency: context.latency(peerID),
    gossipBlocks: gossips,
    scores: { gossip: gossipScores(host.services.pubsub, peerID), reqResp: context.requests(peerID) },
  };
}

/** The parts of gossipsub that its interface omits. */
interface Scored {
  getScore(id: string): number;
  readonly score: {
    readonly peerIPs: ReadonlyMap<string, ReadonlySet<string>>;
    readonly peerStats: ReadonlyMap<
      string,
      {
        readonly topics: Readonly<Record<string, TopicCounts>>;
        readonly knownIPs: ReadonlySet<string>;
        readonly behaviourPenalty: number;
      }
    >;
    readonly params: {
      readonly IPColocationFactorThreshold: number;
      readonly IPColocationFactorWhitelist: ReadonlySet<string>;
    };
  };
}

interface TopicCounts {
  readonly meshTime: number;
  readonly firstMessageDeliveries: number;
  readonly meshMessageDeliveries: number;
  readonly invalidMessageDeliveries: number;
}

/** Exposes the scores of gossipsub, which its types omit. */
function scored(pubsub: GossipSub & Partial<Scored>): Scored {
  const { getScore, score } = pubsub;
  if (getScore === undefined || score === undefined) throw new Error('gossipsub keeps no scores');
  return { getScore: (id) => getScore.call(pubsub, id), score };
}

/** Returns the total gossip score of a peer (op-node: `GetPeerScore`). */
export function gossipScore(pubsub: GossipSub, id: string): number {
  return scored(pubsub).getScore(id);
}

/** Returns the gossip counters of a peer, summed over all topics (op-node: `SnapshotHook`). */
function gossipScores(pubsub: GossipSub | undefined, id: string): GossipScores {
  const score = pubsub && scored(pubsub).score;
  const stats = score?.peerStats.get(id);
  const topics = Object.values(stats?.topics ?? {});
  const sum = (key: keyof TopicCounts) => topics.reduce((total, topic) => total + topic[key], 0);
  return {
    total: pubsub ? gossipScore(pubsub, id) : 0,
    blocks: {
      timeInMesh: sum('meshTime') / 1000,
      firstMessageDeliveries: sum('firstMessageDeliveries'),
      meshMessageDeliveries: sum('meshMessageDeliveries'),
      invalidMessageDeliveries: sum('invalidMessageDeliveries'),
    },
    IPColocationFactor: score ? colocation(score, stats?.knownIPs ?? []) : 0,
    behavioralPenalty: stats?.behaviourPenalty ?? 0,
  };
}

/** Returns the IP colocation factor of a peer (gossipsub v1.1, P6): squares of the surplus at each address. */
function colocation({ peerIPs, params }: Scored['score'], addresses: Iterable<string>): number {
  let factor = 0;
  for (const address of addresses)
    if (!params.IPColocationFactorWhitelist.has(address))
      factor += Math.max(0, (peerIPs.get(address)?.size ?? 0) - params.IPColocationFactorThreshold) ** 2;
  return factor;
}

function addressesOf(id: string, addresses: readonly string[]): string[] {
  const suffix = `/p2p/${id}`;
  return [...new Set(addresses.map((address) => (address.endsWith(suffix) ? address : address + suffix)))];
}

/**
 * Returns the discovery node id: keccak-256 of the public key (geth: `PubkeyToIDV4`).
 * Empty for a key that is not secp256k1.
 */
function nodeId(id: PeerId): string {
  if (id.type !== 'secp256k1') return '';
  return Buffer.from(keccak256Bytes(pointOf(id.publicKey.raw))).toString('hex');
}
