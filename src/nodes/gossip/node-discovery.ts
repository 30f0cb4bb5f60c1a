import { multiaddr } from '@multiformats/multiaddr';
import type { Discovery } from './discovery/discovery.ts';
import { DIAL_TIMEOUT_MS } from './host/connections.ts';
import type { Host } from './host/host.ts';
import type { NetworkDiscovery, PeerNetworkOptions } from './peer-network.ts';
import type { PeerBook } from './peers/peer-book.ts';

/**
 * Starts discovery and the dials of nodes that it finds (op-node: `DiscoveryProcess`).
 * The code is loaded by the first call. `tcpPort`: the port that the host listens on.
 */
export async function startNodeDiscovery(
  host: Host,
  book: PeerBook,
  options: PeerNetworkOptions,
  how: NetworkDiscovery,
  tcpPort: number,
): Promise<Discovery> {
  const { log, signal } = options;
  const [{ startDiscovery }, { dialDiscovered }] = await Promise.all([
    import('./discovery/discovery.ts'),
    import('./discovery/discovery-dialer.ts'),
  ]);
  const discovery = await startDiscovery({
    ...options,
    ...how,
    chainId: options.rollup.config.l2_chain_id,
    tcpPort,
    udpPort: how.udpPort || tcpPort,
  });
  void dialDiscovered(discovery, {
    low: options.peerLimits.low,
    connected: () => host.getPeers().map((peer) => peer.toString()),
    addressBook: () => book.addresses,
    allows: book.gater.allows,
    onFound(node) {
      if (book.addRecord(node)) log.debug('found a node of this rollup', { peer: node.id, address: node.address });
    },
    dial: (address) => host.dial(multiaddr(address), { signal: AbortSignal.timeout(DIAL_TIMEOUT_MS) }),
    log,
    signal,
  }).catch((error: unknown) => log.warn('discovery ended', { error }));
  return discovery;
}
