import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import { messageOf } from '../../../system/failure.ts';
import { ArgumentError } from '../../gossip/host/argument.ts';
import type { PeerNetwork } from '../../gossip/peer-network.ts';
import type { NodeApi } from './api.ts';

const none = z.tuple([]);
const one = z.tuple([z.string()]);

/** Methods of the peer-to-peer network by their bare names, served as `peernet_` and as `opp2p_`. */
const METHODS: MethodTable<NodeApi> = {
  self: peerMethod('This node as a peer.', none, (peers) => peers.self()),
  peers: peerMethod('Known peers; true: only connected ones.', z.tuple([z.boolean()]), (peers, [connected]) =>
    peers.peers(connected),
  ),
  discoveryTable: peerMethod('Node records found by discovery.', none, (peers) => {
    const table = peers.table();
    if (table === undefined) throw new Error('discovery disabled');
    return table;
  }),
  blockPeer: peerMethod('Refuses connections with a peer from now on.', one, (peers, [id]) =>
    peers.gater.blockPeer(id),
  ),
  unblockPeer: peerMethod('Allows connections with a peer again.', one, (peers, [id]) => peers.gater.unblockPeer(id)),
  listBlockedPeers: peerMethod('Blocked peers.', none, (peers) => peers.gater.blockedPeers()),
  blockAddr: peerMethod('Refuses connections with an address.', one, (peers, [address]) =>
    peers.gater.blockAddress(address),
  ),
  unblockAddr: peerMethod('Allows connections with an address again.', one, (peers, [address]) =>
    peers.gater.unblockAddress(address),
  ),
  listBlockedAddrs: peerMethod('Blocked addresses.', none, (peers) => peers.gater.blockedAddresses()),
  blockSubnet: peerMethod('Refuses connections with a subnet.', one, (peers, [subnet]) =>
    peers.gater.blockSubnet(subnet),
  ),
  unblockSubnet: peerMethod('Allows connections with a subnet again.', one, (peers, [subnet]) =>
    peers.gater.unblockSubnet(subnet),
  ),
  listBlockedSubnets: peerMethod('Blocked subnets.', none, (peers) => peers.gater.blockedSubnets()),
  protectPeer: peerMethod('Never prunes a peer.', one, (peers, [id]) => peers.protect(id, true)),
  unprotectPeer: peerMethod('May prune a peer again.', one, (peers, [id]) => peers.protect(id, false)),
  connectPeer: peerMethod('Connects to a peer by its multiaddr.', one, (peers, [address]) => peers.connect(address)),
  disconnectPeer: peerMethod('Ends the connections with a peer.', one, (peers, [id]) => peers.disconnect(id)),
};

/**
 * Methods of the peer-to-peer network: `peernet_` in the shapes of the interface, `opp2p_` in those of op-node.
 * Counterpart in op-node: `APIBackend`, in kona: `OpP2PApi`.
 */
export const peernetMethods: MethodTable<NodeApi> = {
  ...withPrefix('peernet'),
  ...withPrefix('opp2p'),
  peernet_peerStats: method('Counts of peers.', none, (node: NodeApi) => {
    const { connected, table, blocksTopic, blocksTopicV2, banned, known } = network(node).stats();
    return { connected, table, blocksTopic, blocksTopicV2, banned, known };
  }),
  peernet_discoveryTable: method(
    'Node records found by discovery; none where it is disabled.',
    none,
    (node: NodeApi) => {
      return network(node).table() ?? [];
    },
  ),
  opp2p_peerStats: method('Counts of peers.', none, (node: NodeApi) => network(node).stats()),
};

/** Declares a method of the peer-to-peer network. The caller receives the network's errors as JSON-RPC errors. */
function peerMethod<Schema extends z.ZodTuple>(
  summary: string,
  params: Schema,
  run: (peers: PeerNetwork, values: z.output<Schema>) => unknown,
) {
  return method(summary, params, async (node: NodeApi, values) => {
    try {
      return (await run(network(node), values)) ?? null;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const code = error instanceof ArgumentError ? RPC_CODE.invalidParams : RPC_CODE.server;
      throw new RpcError(code, messageOf(error));
    }
  });
}

function withPrefix(prefix: string): MethodTable<NodeApi> {
  return Object.fromEntries(Object.entries(METHODS).map(([name, served]) => [`${prefix}_${name}`, served]));
}

function network(node: NodeApi): PeerNetwork {
  const peers = node.peers();
  if (!peers) throw new RpcError(RPC_CODE.server, 'p2p is disabled, or has not started yet');
  return peers;
}
