import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import type { GossipSub } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { peerIdFromPrivateKey, peerIdFromString } from '@libp2p/peer-id';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { gossipScore, type PeerContext, peerInfo, selfInfo } from '../../../../src/nodes/gossip/peers/peer-info.ts';
import { keyNamed } from '../blocks.ts';

/** Key and node id of the example of EIP-778. */
const KEY = Buffer.from('b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291', 'hex');
const NODE_ID = 'a448f24c6d18e575453db13171562b71999873db5b286df957af199ec94617f7';
const PEER = peerIdFromPrivateKey(privateKeyFromRaw(KEY));
const OTHER = peerIdFromPrivateKey(privateKeyFromRaw(keyNamed('other')));
/** A peer whose key is ed25519. */
const FOREIGN = peerIdFromString('12D3KooWGC6TvWhfapngX6wvJHMYvKpDMXPb3ZnCZ6dMoaMtimQ5');
const SUFFIX = `/p2p/${PEER.toString()}`;
const CHAIN_ID = 901;
const REQUESTS = '/opstack/req/payload_by_number/901/0';
const NO_BLOCKS = {
  timeInMesh: 0,
  firstMessageDeliveries: 0,
  meshMessageDeliveries: 0,
  invalidMessageDeliveries: 0,
};
const NO_ANSWERS = { validResponses: 0, errorResponses: 0, rejectedPayloads: 0 };

interface TopicCounts {
  readonly meshTime: number;
  readonly firstMessageDeliveries: number;
  readonly meshMessageDeliveries: number;
  readonly invalidMessageDeliveries: number;
}
interface Known {
  readonly connection?: { readonly remoteAddr: string; readonly direction: string };
  readonly stored?: {
    readonly addresses: readonly { readonly multiaddr: string }[];
    readonly protocols: readonly string[];
    readonly metadata: ReadonlyMap<string, Uint8Array>;
  };
  /** Subscribers by topic. */
  readonly subscribers?: Readonly<Record<string, readonly PeerId[]>>;
  readonly total?: number;
  readonly stats?: {
    readonly topics: Readonly<Record<string, TopicCounts>>;
    readonly knownIPs: readonly string[];
    readonly behaviourPenalty: number;
  };
  /** Peers by address. */
  readonly peersAt?: Readonly<Record<string, number>>;
  readonly dialled?: readonly string[];
  readonly record?: { readonly enr: string; readonly chainId: number };
}

/** What this node knows about PEER. */
function contextOf(known: Known): PeerContext {
  const { connection, stored, subscribers = {}, total = 0, stats, peersAt = {} } = known;
  const pubsub = {
    own: total,
    getSubscribers: (topic: string) => subscribers[topic] ?? [],
    getScore(id: string) {
      return id === PEER.toString() ? this.own : Number.NaN;
    },
    score: {
      peerIPs: new Map(Object.entries(peersAt).map(([address, count]) => [address, new Set(Array(count).keys())])),
      peerStats: new Map(stats && [[PEER.toString(), { ...stats, knownIPs: new Set(stats.knownIPs) }]]),
      params: { IPColocationFactorThreshold: 10, IPColocationFactorWhitelist: new Set(['127.0.0.1']) },
    },
  };
  const host = {
    peerId: PEER,
    getMultiaddrs: () => [`/ip4/10.0.0.1/tcp/1${SUFFIX}`],
    getProtocols: () => ['/a', '/b'],
    getConnections: (id: PeerId) => (connection && id.equals(PEER) ? [connection] : []),
    peerStore: {
      async get(id: PeerId) {
        if (stored === undefined || !id.equals(PEER)) throw new Error('no such peer');
        return stored;
      },
    },
    services: { pubsub },
  } as unknown as Host;
  const isPeer = (id: string) => id === PEER.toString();
  return {
    host,
    chainId: CHAIN_ID,
    isProtected: isPeer,
    requests: (id) => ({ ...NO_ANSWERS, validResponses: isPeer(id) ? 3 : 0 }),
    latency: (id) => (isPeer(id) ? 1234 : 0),
    addresses: (id) => (isPeer(id) ? (known.dialled ?? []) : []),
    record: (id) => (isPeer(id) ? known.record : undefined),
  };
}
const storing = (protocols: readonly string[] = []) => ({
  addresses: [{ multiaddr: '/ip4/10.0.0.2/tcp/2' }, { multiaddr: `/ip4/10.0.0.3/tcp/3${SUFFIX}` }],
  protocols,
  metadata: new Map([
    ['AgentVersion', Buffer.from('test/ä')],
    ['ProtocolVersion', Buffer.from('ipfs/0.1.0')],
  ]),
});

describe('the info of a peer', () => {
  it('has what this node knows of one that it dialled', async () => {
    const context = contextOf({
      connection: { remoteAddr: '/ip4/10.0.0.2/tcp/2', direction: 'outbound' },
      stored: storing(['/ipfs/id/1.0.0']),
      dialled: ['/ip4/10.0.0.4/tcp/4', '/ip4/10.0.0.3/tcp/3'],
      record: { enr: 'enr:-x', chainId: 10 },
    });
    expect(await peerInfo(context, PEER)).toEqual({
      peerID: PEER.toString(),
      nodeID: NODE_ID,
      userAgent: 'test/ä',
      protocolVersion: 'ipfs/0.1.0',
      ENR: 'enr:-x',
      addresses: ['2/tcp/2', '3/tcp/3', '4/tcp/4'].map((rest) => `/ip4/10.0.0.${rest}${SUFFIX}`),
      protocols: ['/ipfs/id/1.0.0'],
      connectedness: 1,
      direction: 2,
      protected: true,
      chainID: 10,
      latency: 1234,
      gossipBlocks: false,
      scores: {
        gossip: { total: 0, blocks: NO_BLOCKS, IPColocationFactor: 0, behavioralPenalty: 0 },
        reqResp: { ...NO_ANSWERS, validResponses: 3 },
      },
    });
  });

  it('is empty but for its id when nothing is known of it, and has no node id for another kind of key', async () => {
    expect(await peerInfo(contextOf({}), FOREIGN)).toMatchObject({
      ...{ peerID: FOREIGN.toString(), nodeID: '', userAgent: '', protocolVersion: '', ENR: '', addresses: [] },
      ...{ protocols: [], connectedness: 0, direction: 0, protected: false, chainID: 0, latency: 0 },
      ...{ gossipBlocks: false, scores: { reqResp: NO_ANSWERS } },
    });
  });

  it('has the direction of a peer that dialled this node, with the address of its connection first', async () => {
    const connection = { remoteAddr: '/ip4/10.0.0.9/tcp/9', direction: 'inbound' };
    const { connectedness, direction, addresses } = await peerInfo(contextOf({ connection, stored: storing() }), PEER);
    expect([connectedness, direction, addresses[0], addresses.length]).toEqual([
      1,
      1,
      `/ip4/10.0.0.9/tcp/9${SUFFIX}`,
      3,
    ]);
  });

  it.each([
    ['nothing', {}, 0, false],
    ['its requests for blocks', { stored: storing(['/other', REQUESTS]) }, CHAIN_ID, false],
    ['those of another chain', { stored: storing(['/opstack/req/payload_by_number/902/0']) }, 0, false],
    ['its record', { record: { enr: 'enr:-x', chainId: 7 }, stored: storing([REQUESTS]) }, 7, false],
    ...[0, 1, 2, 3].map(
      (topic) =>
        [
          `its subscription of topic ${topic}`,
          { subscribers: { [`/optimism/901/${topic}/blocks`]: [OTHER, PEER] } },
          CHAIN_ID,
          true,
        ] as const,
    ),
    ['the subscription of another peer', { subscribers: { '/optimism/901/3/blocks': [OTHER] } }, 0, false],
    ['that of another chain', { subscribers: { '/optimism/902/3/blocks': [PEER] } }, 0, false],
  ] as const)('has the chain and the gossip of %s', async (_, known: Known, chainID, gossipBlocks) => {
    expect(await peerInfo(contextOf(known), PEER)).toMatchObject({ chainID, gossipBlocks });
  });
});

describe('the gossip scores of a peer', () => {
  const countsOf = (factor: number): TopicCounts => ({
    meshTime: 1500 * factor,
    firstMessageDeliveries: 2 * factor,
    meshMessageDeliveries: 3 * factor,
    invalidMessageDeliveries: 4 * factor,
  });

  it('are the sums over all topics, with the time in seconds', async () => {
    const stats = { topics: { a: countsOf(1), b: countsOf(10) }, knownIPs: [], behaviourPenalty: 6 };
    expect((await peerInfo(contextOf({ total: -7, stats }), PEER)).scores.gossip).toEqual({
      total: -7,
      blocks: {
        timeInMesh: 16.5,
        firstMessageDeliveries: 22,
        meshMessageDeliveries: 33,
        invalidMessageDeliveries: 44,
      },
      IPColocationFactor: 0,
      behavioralPenalty: 6,
    });
  });

  it.each([
    [{ '10.0.0.1': 10 }, 0],
    [{ '10.0.0.1': 9 }, 0],
    [{ '10.0.0.1': 11 }, 1],
    [{ '10.0.0.1': 13, '10.0.0.2': 14 }, 25],
    [{ '10.0.0.1': 13, '127.0.0.1': 14 }, 9],
    [{ '10.0.0.9': 20 }, 0],
  ])('have the squares of the peers above ten at each of its addresses: %j', async (peersAt, factor) => {
    const knownIPs = ['10.0.0.1', '10.0.0.2', '127.0.0.1'];
    const stats = { topics: {}, knownIPs, behaviourPenalty: 0 };
    const { scores } = await peerInfo(contextOf({ peersAt, stats }), PEER);
    expect(scores.gossip.IPColocationFactor).toBe(factor);
  });

  it('cannot be read from a gossipsub that has none', () => {
    for (const part of [{}, { getScore: () => 1 }, { score: {} }])
      expect(() => gossipScore(part as unknown as GossipSub, 'a')).toThrow('gossipsub keeps no scores');
  });
});

it('the info of this node has its addresses and protocols, and no scores', () => {
  expect(selfInfo(contextOf({ total: 5 }).host, CHAIN_ID, 'enr:-own')).toEqual({
    ...{ peerID: PEER.toString(), nodeID: NODE_ID, userAgent: '', protocolVersion: '', ENR: 'enr:-own' },
    ...{ addresses: [`/ip4/10.0.0.1/tcp/1${SUFFIX}`], protocols: ['/a', '/b'], connectedness: 0, direction: 0 },
    ...{ protected: false, chainID: CHAIN_ID, latency: 0, gossipBlocks: true },
    scores: {
      gossip: { total: 0, blocks: NO_BLOCKS, IPColocationFactor: 0, behavioralPenalty: 0 },
      reqResp: NO_ANSWERS,
    },
  });
});
