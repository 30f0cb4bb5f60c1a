import type { ConnectionGater, PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import type { Multiaddr } from '@multiformats/multiaddr';
import { parseAddress, parseSubnet, type Subnet } from './subnet.ts';

/** Who may connect: lists that the RPC and bans change. Blocking ends the connections that are there. */
export interface Gater {
  blockPeer(id: string): void;
  unblockPeer(id: string): void;
  blockedPeers(): string[];
  blockAddress(address: string): void;
  unblockAddress(address: string): void;
  blockedAddresses(): string[];
  blockSubnet(subnet: string): void;
  unblockSubnet(subnet: string): void;
  blockedSubnets(): string[];
  /** Whether a peer at an address may be connected with. */
  allows(id: string | undefined, address: string | undefined): boolean;
  /** What libp2p asks. */
  readonly connectionGater: ConnectionGater;
}

/** `within`: subnets outside of which nobody may connect; empty: everywhere. `onBlocked` is called after a list grew. */
export function createGater(within: readonly string[], onBlocked: () => void): Gater {
  const allowed = within.map(parseSubnet);
  const peers = new Set<string>();
  const addresses = new Set<string>();
  const subnets = new Map<string, Subnet>();

  function allows(id: string | undefined, address: string | undefined): boolean {
    if (id !== undefined && peers.has(id)) return false;
    if (address === undefined) return true;
    if (addresses.has(address) || [...subnets.values()].some((subnet) => subnet.contains(address))) return false;
    return allowed.length === 0 || allowed.some((subnet) => subnet.contains(address));
  }
  const denies = (id: PeerId | undefined, address: Multiaddr) => !allows(id?.toString(), addressOf(address));

  return {
    blockPeer(id) {
      peers.add(peerIdFromString(id).toString());
      onBlocked();
    },
    unblockPeer: (id) => void peers.delete(id),
    blockedPeers: () => [...peers],
    blockAddress(address) {
      addresses.add(parseAddress(address));
      onBlocked();
    },
    unblockAddress: (address) => void addresses.delete(address),
    blockedAddresses: () => [...addresses],
    blockSubnet(subnet) {
      subnets.set(subnet, parseSubnet(subnet));
      onBlocked();
    },
    unblockSubnet: (subnet) => void subnets.delete(subnet),
    blockedSubnets: () => [...subnets.keys()],
    allows,
    connectionGater: {
      denyDialPeer: (peer) => peers.has(peer.toString()),
      denyDialMultiaddr: (address) => denies(undefined, address),
      denyInboundConnection: (connection) => denies(undefined, connection.remoteAddr),
      denyInboundEncryptedConnection: (peer, connection) => denies(peer, connection.remoteAddr),
      denyOutboundEncryptedConnection: (peer, connection) => denies(peer, connection.remoteAddr),
      filterMultiaddrForPeer: () => true,
    },
  };
}

/** The IP address of a multiaddr. */
export function addressOf(address: Multiaddr): string | undefined {
  return address.getComponents().find(({ name }) => name === 'ip4' || name === 'ip6')?.value;
}
