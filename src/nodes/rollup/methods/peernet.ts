import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import { messageOf } from '../../../system/failure.ts';
import { ArgumentError } from '../../shared/gossip/argument.ts';
import type { PeerNetwork } from '../../shared/gossip/peer-network.ts';
import type { NodeApi } from '../api.ts';

type Entry = readonly [summary: string, params: z.ZodTuple, run: (peers: PeerNetwork, params: never) => unknown];

const none = z.tuple([]);
const one = z.tuple([z.string()]);

/** Methods of the peer-to-peer network by their bare names, served as `peernet_` and as `opp2p_`. */
const METHODS: Readonly<Record<string, Entry>> = {
  self: ['This node as a peer.', none, (peers) => peers.self()],
  peers: [
    'Known peers; true: only connected ones.',
    z.tuple([z.boolean()]),
    (peers, [connected]: [boolean]) => peers.peers(connected),
  ],
  discoveryTable: [
    'Node records found by discovery.',
    none,
    (peers) => {
      const table = peers.table();
      if (table === undefined) throw new Error('discovery disabled');
      return table;
    },
  ],
  blockPeer: [
    'Refuses connections with a peer from now on.',
    one,
    (peers, [id]: [string]) => peers.gater.blockPeer(id),
  ],
  unblockPeer: ['Allows connections with a peer again.', one, (peers, [id]: [string]) => peers.gater.unblockPeer(id)],
  listBlockedPeers: ['Blocked peers.', none, (peers) => peers.gater.blockedPeers()],
  blockAddr: [
    'Refuses connections with an address.',
    one,
    (peers, [address]: [string]) => peers.gater.blockAddress(address),
  ],
  unblockAddr: [
    'Allows connections with an address again.',
    one,
    (peers, [address]: [string]) => peers.gater.unblockAddress(address),
  ],
  listBlockedAddrs: ['Blocked addresses.', none, (peers) => peers.gater.blockedAddresses()],
  blockSubnet: [
    'Refuses connections with a subnet.',
    one,
    (peers, [subnet]: [string]) => peers.gater.blockSubnet(subnet),
  ],
  unblockSubnet: [
    'Allows connections with a subnet again.',
    one,
    (peers, [subnet]: [string]) => peers.gater.unblockSubnet(subnet),
  ],
  listBlockedSubnets: ['Blocked subnets.', none, (peers) => peers.gater.blockedSubnets()],
  protectPeer: ['Never prunes a peer.', one, (peers, [id]: [string]) => peers.protect(id, true)],
  unprotectPeer: ['May prune a peer again.', one, (peers, [id]: [string]) => peers.protect(id, false)],
  connectPeer: ['Connects to a peer by its multiaddr.', one, (peers, [address]: [string]) => peers.connect(address)],
  disconnectPeer: ['Ends the connections with a peer.', one, (peers, [id]: [string]) => peers.disconnect(id)],
};

/** The peer-to-peer network: `peernet_` in the shapes of the interface, `opp2p_` in those of op-node. */
export const peernetMethods: MethodTable<NodeApi> = {
  ...named('peernet'),
  ...named('opp2p'),
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

function named(prefix: string): MethodTable<NodeApi> {
  return Object.fromEntries(
    Object.entries(METHODS).map(([name, [summary, params, run]]) => [
      `${prefix}_${name}`,
      method(summary, params, async (node: NodeApi, values) => {
        try {
          return (await run(network(node), values as never)) ?? null;
        } catch (error) {
          if (error instanceof RpcError) throw error;
          const code = error instanceof ArgumentError ? RPC_CODE.invalidParams : RPC_CODE.server;
          throw new RpcError(code, messageOf(error));
        }
      }),
    ]),
  );
}

function network(node: NodeApi): PeerNetwork {
  const peers = node.peers();
  if (!peers) throw new RpcError(RPC_CODE.server, 'p2p is disabled, or has not started yet');
  return peers;
}
