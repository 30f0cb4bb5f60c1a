import { peerIdFromString } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { concat } from '../../protocol/bytes.ts';
import { encodeGossipBody, gossipTopic } from '../../protocol/codec/gossip.ts';
import { useKeccak } from '../../protocol/hash.ts';
import type { Discovered, Discovery } from './discovery/discovery.ts';
import { banBook } from './host/bans.ts';
import { startConnectionManager } from './host/connection-manager.ts';
import { addressesOf, disconnected, listenPort } from './host/connections.ts';
import { addressOf, createGater } from './host/gater.ts';
import { startHost } from './host/host.ts';
import type { PortMapping } from './host/nat.ts';
import { readPeerAddress, readPeerId } from './host/peer-argument.ts';
import { compressBlock } from './message/snappy.ts';
import type { NetworkDiscovery, PeerNetwork, PeerNetworkOptions } from './peer-network.ts';
import { gossipScore, peerInfo, selfInfo } from './peers/peer-info.ts';
import { openPeerStore } from './peers/peer-store.ts';
import { replayRecentBlocks } from './recent-block-replay.ts';
import { createApplicationScorer } from './requests/application-score.ts';
import { blockClient } from './requests/block-client.ts';
import { serveBlockRequests } from './requests/block-server.ts';
import { startPing } from './requests/ping.ts';
import { clearSeenMessages } from './seen-messages.ts';
import { keepConnected, parseStaticPeer } from './static-peers.ts';
import { subscribeToBlocks } from './topics.ts';

/** Milliseconds between checks of peers' scores. */
const BAN_INTERVAL = 1_000;
const DIAL_TIMEOUT = 30_000;

/**
 * Starts the network (op-node: `NewNodeP2P`; kona: `GossipDriver`, `NetworkActor`).
 * @throws the listen error; Error on a static peer or subnet that cannot be parsed
 */
export async function startPeerNetwork(options: PeerNetworkOptions): Promise<PeerNetwork> {
  const { rollup, log, signal, meter } = options;
  const chainId = rollup.config.l2_chain_id;
  const blockTime = rollup.config.block_time;
  const store = openPeerStore(options.storePath, options.key, log);
  const bans = banBook(store.known.bans, (id) => {
    log.info('the ban of a peer is over', { peer: id });
    meter.unban('peer');
  });
  const scorer = createApplicationScorer(store.known.peers.map(({ id, requests }) => [id, requests] as const));
  const gater = createGater({ within: options.netRestrict, blocked: store.known.blocked, bans, meter, onChange });
  const host = await startHost({
    ...options,
    chainId,
    // The connection manager prunes above the high watermark; this is only the hard limit.
    maxConnections: 4 * Math.max(options.peerLimits.high, 10),
    scoring: options.isScoring ? { chainId, blockTime, requestScore: scorer.score } : undefined,
    gater,
  });
  const { pubsub } = host.services;
  const ping = await startPing(host, signal);
  const replay = replayRecentBlocks(pubsub, signal);
  const statics = options.staticPeers.map(parseStaticPeer).filter(({ id }) => !id.equals(host.peerId));
  const staticIds = new Set(statics.map(({ id }) => id.toString()));
  const protectedPeers = new Set(staticIds);
  const isProtected = (id: string) => protectedPeers.has(id);
  const known = new Map(store.known.peers.map(({ id, addresses }) => [id, addresses] as const));
  for (const { id, address } of statics) known.set(id.toString(), [address.toString()]);

  function enforce(): void {
    for (const connection of host.getConnections())
      if (!gater.allows(connection.remotePeer.toString(), addressOf(connection.remoteAddr)))
        void connection.close().catch((error: Error) => connection.abort(error));
  }

  function onChange(): void {
    enforce();
    save();
  }

  function save(): void {
    store.save(() => ({
      peers: [...known].map(([id, addresses]) => ({ id, addresses, requests: scorer.of(id) })),
      bans: bans.all(),
      blocked: {
        peers: gater.blockedPeers(),
        addresses: gater.blockedAddresses(),
        subnets: gater.blockedSubnets(),
      },
    }));
  }

  host.addEventListener('peer:connect', ({ detail }) => {
    const id = detail.toString();
    known.set(id, addressesOf(host, detail) ?? known.get(id) ?? []);
    meter.gossip('ADD_PEER');
    save();
    log.info('connected with a peer', { peer: id });
  });
  host.addEventListener('peer:disconnect', ({ detail }) => {
    meter.gossip('REMOVE_PEER');
    log.info('a peer is gone', { peer: detail.toString() });
  });
  pubsub.addEventListener('gossipsub:graft', () => meter.gossip('GRAFT'));
  pubsub.addEventListener('gossipsub:prune', () => meter.gossip('PRUNE'));

  const topics = subscribeToBlocks(host, options, replay.record);
  let isSuspended = false;
  if (options.requests) await serveBlockRequests(host, { ...options, isTrusted: (id: string) => staticIds.has(id) });
  const onlyStatic = options.requests?.onlyStatic ?? false;
  const request = blockClient({ ...options, host, scorer, isAskable: (id) => !onlyStatic || staticIds.has(id) });

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

  const stopPruning = startConnectionManager(host, {
    ...options.peerLimits,
    isProtected,
    score: (id) => gossipScore(pubsub, id),
    log,
  });
  const timers = [
    setInterval(scorer.decay, blockTime * 1000),
    ...(options.ban ? [setInterval(ban, BAN_INTERVAL, options.ban)] : []),
  ];
  for (const timer of timers) timer.unref();

  /**
   * Bans peers with a score below the threshold (op-node: `PeerMonitor`, `BanPeer`).
   * Static peers are trusted: they are never banned. Counterpart in kona: `handle_peer_monitoring`.
   */
  function ban({ threshold, durationMs }: { threshold: number; durationMs: number }): void {
    for (const peer of host.getPeers()) {
      const id = peer.toString();
      const score = gossipScore(pubsub, id);
      if (staticIds.has(id) || score >= threshold) continue;
      log.warn('a peer is banned for its score', { peer: id, score, threshold });
      bans.ban(id, Date.now() + durationMs);
      onChange();
    }
  }

  const port = listenPort(host.getMultiaddrs().map((address) => address.toString()));
  if (options.nat)
    void forward(options.nat.gateway).catch((error: unknown) =>
      log.warn('cannot use a router for port forwarding', { error }),
    );

  /** Forwards a port by the router. The code is loaded only where the option is set. */
  async function forward(gateway: string | undefined): Promise<void> {
    const { keepMapped } = await import('./host/nat.ts');
    const outside = (mapping: PortMapping) => ({ ip: mapping.externalHost, port: mapping.externalPort });
    const inside = (mapping: PortMapping) => ({ ip: mapping.internalHost, port: mapping.internalPort });
    await keepMapped({
      ...options,
      gateway,
      port,
      onMapped(mapping, before) {
        if (before) host.services.forwarded.remove(outside(before), inside(before));
        if (mapping) host.services.forwarded.add(outside(mapping), inside(mapping));
      },
    });
  }

  const records = new Map<string, Discovered>();
  const discovery = options.discovery && (await discover(options.discovery));

  /** Starts discovery. The code is loaded only where the option is set. */
  async function discover(how: NetworkDiscovery): Promise<Discovery> {
    const [{ startDiscovery }, { dialDiscovered }] = await Promise.all([
      import('./discovery/discovery.ts'),
      import('./discovery/discovery-dialer.ts'),
    ]);
    const started = await startDiscovery({
      ...options,
      ...how,
      chainId,
      tcpPort: port,
      udpPort: how.udpPort || port,
    });
    void dialDiscovered(started, {
      low: options.peerLimits.low,
      connected: () => host.getPeers().map((peer) => peer.toString()),
      known: () => known,
      allows: gater.allows,
      onFound(node) {
        if (records.get(node.id)?.enr === node.enr) return;
        records.set(node.id, node);
        known.set(node.id, [node.address]);
        log.debug('found a node of this rollup', { peer: node.id, address: node.address });
        save();
      },
      dial: (address) => host.dial(multiaddr(address), { signal: AbortSignal.timeout(DIAL_TIMEOUT) }),
      log,
      signal,
    }).catch((error: unknown) => log.warn('discovery ended', { error }));
    return started;
  }

  // The faster keccak is for large blocks; the network starts without waiting for it.
  void import('../../system/crypto/keccak.ts').then(async ({ wasmKeccak }) => useKeccak(await wasmKeccak()));

  const context = {
    host,
    chainId,
    isProtected,
    requests: scorer.of,
    latency: ping.latency,
    known: (id: string) => known.get(id) ?? [],
    record: (id: string) => records.get(id),
  };
  const subscribers = (version: 1 | 2 | 3 | 4) => pubsub.getSubscribers(gossipTopic(chainId, version)).length;
  const bannedPeers = () => [...new Set([...gater.blockedPeers(), ...bans.all().map(({ id }) => id)])];

  return {
    peerId: host.peerId.toString(),
    port,
    gater,
    self: () => selfInfo(host, chainId, discovery?.enr() ?? ''),
    async peers(isConnectedOnly) {
      const connected = host.getPeers();
      const others = isConnectedOnly
        ? []
        : [...known.keys()].filter((id) => connected.every((peer) => peer.toString() !== id));
      const ids = [...connected, ...others.map((id) => peerIdFromString(id))];
      const infos = await Promise.all(ids.map((id) => peerInfo(context, id)));
      return {
        totalConnected: connected.length,
        peers: Object.fromEntries(infos.map((info) => [info.peerID, info])),
        bannedPeers: bannedPeers(),
        bannedIPS: gater.blockedAddresses(),
        bannedSubnets: gater.blockedSubnets(),
      };
    },
    stats: () => ({
      connected: host.getPeers().length,
      table: discovery?.table().length ?? 0,
      blocksTopic: subscribers(1),
      blocksTopicV2: subscribers(2),
      blocksTopicV3: subscribers(3),
      blocksTopicV4: subscribers(4),
      banned: bannedPeers().length,
      known: known.size,
    }),
    streams: () => host.getConnections().reduce((total, { streams }) => total + streams.length, 0),
    table: () => discovery?.table(),
    async publish(envelope, signer) {
      const { version } = rollup.rulesAt(envelope.executionPayload.timestamp).gossip;
      const body = encodeGossipBody(envelope, version);
      const message = compressBlock(concat(await signer.sign(body, chainId), body));
      const topic = gossipTopic(chainId, version);
      if (isSuspended) return 0;
      const { recipients } = await pubsub.publish(topic, message);
      meter.gossip('PUBLISH_MESSAGE');
      replay.record({ topic, data: message, recipients });
      return recipients.length;
    },
    request: async (number, hash) => (options.requests ? request(number, hash) : null),
    suspend() {
      isSuspended = true;
      topics.suspend();
    },
    forget() {
      clearSeenMessages(pubsub);
      topics.forget();
      replay.forget();
    },
    resume() {
      isSuspended = false;
      topics.resume();
    },
    protect(id, isProtected) {
      const name = readPeerId(id).toString();
      if (isProtected) protectedPeers.add(name);
      else if (!staticIds.has(name)) protectedPeers.delete(name);
    },
    async connect(address) {
      await host.dial(readPeerAddress(address), { signal: AbortSignal.timeout(DIAL_TIMEOUT) });
    },
    async disconnect(id) {
      const peer = readPeerId(id);
      await host.hangUp(peer);
      gater.unblockPeer(id);
      if (!staticIds.has(peer.toString())) known.delete(peer.toString());
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopPruning();
      await discovery?.stop().catch((error: unknown) => log.warn('cannot stop discovery', { error }));
      await host.stop();
      store.close();
    },
  };
}
