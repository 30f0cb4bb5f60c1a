import { useKeccak } from '../../protocol/hash.ts';
import { startConnectionManager } from './host/connection-manager.ts';
import { addressesOf, closeForbidden, listenPort } from './host/connections.ts';
import { type Host, startHost } from './host/host.ts';
import { forwardPort } from './host/port-forwarding.ts';
import { Libp2pNetwork } from './libp2p-network.ts';
import { startNodeDiscovery } from './node-discovery.ts';
import type { PeerNetwork, PeerNetworkOptions } from './peer-network.ts';
import { PeerBook } from './peers/peer-book.ts';
import { gossipScore } from './peers/peer-info.ts';
import { startPeerMonitor } from './peers/peer-monitor.ts';
import { blockClient } from './requests/block-client.ts';
import { serveBlockRequests } from './requests/block-server.ts';
import { startPing } from './requests/ping.ts';
import { BlockTopics } from './topics.ts';
import { TrustedPeers } from './trusted-peers.ts';

/**
 * Starts the network (op-node: `NewNodeP2P`; kona: `GossipDriver`, `NetworkActor`).
 * @throws the listen error; Error on a static peer or subnet that cannot be parsed
 */
export async function startPeerNetwork(options: PeerNetworkOptions): Promise<PeerNetwork> {
  const { log, signal } = options;
  const chainId = options.rollup.config.l2_chain_id;
  const book = new PeerBook({ ...options, onGateChange: () => closeForbidden(host, book.gater) });
  const host = await startNetworkHost(options, book);
  const ping = await startPing(host, signal);
  const trusted = new TrustedPeers(options.staticPeers, host.peerId);
  for (const { id, address } of trusted.statics) book.setAddresses(id.toString(), [address.toString()]);
  recordConnections(host, book, options);
  const topics = new BlockTopics(host.services.pubsub, options);
  const request = await startBlockRequests(host, book, trusted, options);
  trusted.keepConnected(host, log, signal);
  const stopTimers = startPeerManagement(host, book, trusted, options);
  // An address that is advertised hides that of the listener.
  const port = options.listenPort || listenPort(host.getMultiaddrs().map((address) => address.toString()));
  if (options.nat)
    void forwardPort(host, { ...options, gateway: options.nat.gateway, port }).catch((error: unknown) =>
      log.warn('cannot use a router for port forwarding', { error }),
    );
  const discovery = options.discovery && (await startNodeDiscovery(host, book, options, options.discovery, port));
  // The faster keccak is for large blocks; the network starts without waiting for it.
  void import('../../system/crypto/keccak.ts').then(async ({ wasmKeccak }) => useKeccak(await wasmKeccak()));
  return new Libp2pNetwork({
    host,
    chainId,
    port,
    book,
    trusted,
    topics,
    ping,
    request,
    discovery,
    async stop() {
      stopTimers();
      await discovery?.stop().catch((error: unknown) => log.warn('cannot stop discovery', { error }));
    },
  });
}

function startNetworkHost(options: PeerNetworkOptions, book: PeerBook): Promise<Host> {
  const { l2_chain_id: chainId, block_time: blockTime } = options.rollup.config;
  return startHost({
    ...options,
    chainId,
    // The connection manager prunes above the high watermark; this is only the hard limit.
    maxConnections: 4 * Math.max(options.peerLimits.high, 10),
    scoring: options.isScoring ? { chainId, blockTime, requestScore: book.scorer.score } : undefined,
    gater: book.gater,
  });
}

/** Counts connections and mesh changes (op-node: `NotificationsMetricer`). Keeps the addresses of connected peers. */
function recordConnections(host: Host, book: PeerBook, { log, meter }: PeerNetworkOptions): void {
  host.addEventListener('peer:connect', ({ detail }) => {
    const id = detail.toString();
    book.setAddresses(id, addressesOf(host, detail) ?? book.addresses.get(id) ?? []);
    meter.gossip('ADD_PEER');
    book.save();
    log.info('connected with a peer', { peer: id });
  });
  host.addEventListener('peer:disconnect', ({ detail }) => {
    meter.gossip('REMOVE_PEER');
    log.info('a peer is gone', { peer: detail.toString() });
  });
  const { pubsub } = host.services;
  pubsub.addEventListener('gossipsub:graft', () => meter.gossip('GRAFT'));
  pubsub.addEventListener('gossipsub:prune', () => meter.gossip('PRUNE'));
}

/** Serves block requests, and returns the function that sends them. Both do nothing if the option is off. */
async function startBlockRequests(
  host: Host,
  book: PeerBook,
  trusted: TrustedPeers,
  options: PeerNetworkOptions,
): Promise<ReturnType<typeof blockClient>> {
  if (!options.requests) return async () => null;
  await serveBlockRequests(host, { ...options, isTrusted: trusted.isStatic });
  const { onlyStatic } = options.requests;
  const isAskable = (id: string) => !onlyStatic || trusted.isStatic(id);
  return blockClient({ ...options, host, scorer: book.scorer, isAskable });
}

/** Starts pruning, score decay and bans. Returns a function that stops them. */
function startPeerManagement(
  host: Host,
  book: PeerBook,
  trusted: TrustedPeers,
  options: PeerNetworkOptions,
): () => void {
  const { log, ban } = options;
  const stopPruning = startConnectionManager(host, {
    ...options.peerLimits,
    isProtected: trusted.isProtected,
    score: (id) => gossipScore(host.services.pubsub, id),
    log,
  });
  const decayInterval = options.rollup.config.block_time * 1000;
  const stopMonitor = startPeerMonitor(host, book, { ban, decayInterval, isTrusted: trusted.isStatic, log });
  return () => {
    stopMonitor();
    stopPruning();
  };
}
