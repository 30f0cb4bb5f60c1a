import type { ConnectionGater, PeerId } from '@libp2p/interface';
import type { Multiaddr } from '@multiformats/multiaddr';
import type { BanBook } from './bans.ts';
import type { Meter } from './meter.ts';
import { readPeerId } from './peer-argument.ts';
import { parseAddress, parseSubnet, type Subnet } from './subnet.ts';

/**
 * Decides which peers may connect: block lists that the RPC changes, and bans (op-node: `BlockingConnectionGater`).
 * Blocking closes open connections. Counterpart in kona: `ConnectionGate`.
 */
export interface Gater {
  blockPeer(id: string): void;
  /** Ends a ban of the peer too. */
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
  /** The callbacks that libp2p makes. */
  readonly connectionGater: ConnectionGater;
}

/** The block lists, which survive restarts. */
export interface BlockLists {
  readonly peers: readonly string[];
  readonly addresses: readonly string[];
  readonly subnets: readonly string[];
}

/** Settings of the gater, and the parts that it works with. */
export interface GaterOptions {
  /** Subnets from which peers may connect; empty: all addresses. */
  readonly within: readonly string[];
  readonly blocked: BlockLists;
  readonly bans: BanBook;
  readonly meter: Meter;
  /** Called after a list changed. */
  readonly onChange: () => void;
}

/**
 * Creates a connection gater (op-node: `NewBlockingConnectionGater`, `AddBanExpiry`; kona: `ConnectionGater`).
 * @throws ArgumentError on a malformed peer id, address or subnet; so do its methods
 */
export function createGater({ within, blocked, bans, meter, onChange }: GaterOptions): Gater {
  const allowed = within.map(parseSubnet);
  const peers = new Set(blocked.peers);
  const addresses = new Set(blocked.addresses);
  const subnets = new Map<string, Subnet>(blocked.subnets.map((text) => [text, parseSubnet(text)]));

  const allowsPeer = (id: string | undefined) => id === undefined || !(peers.has(id) || bans.isBanned(id));
  function allowsAddress(address: string | undefined): boolean {
    // A host name passes here. libp2p checks the address that it resolves to.
    if (address === undefined) return true;
    const plain = parseAddress(address);
    if (addresses.has(plain) || [...subnets.values()].some((subnet) => subnet.contains(plain))) return false;
    return allowed.length === 0 || allowed.some((subnet) => subnet.contains(plain));
  }
  const allows = (id: string | undefined, address: string | undefined) => allowsPeer(id) && allowsAddress(address);

  /** Turns a check into the answer that libp2p expects, and counts it (op-node: `MeteredConnectionGater`). */
  function denies(kind: 'dial' | 'accept', isAllowed: boolean): boolean {
    meter.connection(kind, isAllowed);
    return !isAllowed;
  }
  const change = (run: () => void) => {
    run();
    onChange();
  };
  const at = (id: PeerId | undefined, address: Multiaddr) => allows(id?.toString(), addressOf(address));

  return {
    blockPeer: (id) => change(() => peers.add(readPeerId(id).toString())),
    unblockPeer: (id) =>
      change(() => {
        if (peers.delete(readPeerId(id).toString())) meter.unban('peer');
        bans.lift(readPeerId(id).toString());
      }),
    blockedPeers: () => [...peers],
    blockAddress: (address) => change(() => addresses.add(parseAddress(address))),
    unblockAddress: (address) =>
      change(() => {
        if (addresses.delete(parseAddress(address))) meter.unban('ip');
      }),
    blockedAddresses: () => [...addresses],
    blockSubnet(text) {
      const subnet = parseSubnet(text);
      change(() => subnets.set(subnet.text, subnet));
    },
    unblockSubnet: (text) => change(() => subnets.delete(parseSubnet(text).text)),
    blockedSubnets: () => [...subnets.keys()],
    allows,
    connectionGater: {
      denyDialPeer: (peer) => denies('dial', allowsPeer(peer.toString())),
      denyDialMultiaddr: (address) => !at(undefined, address),
      denyInboundConnection: (connection) => denies('accept', at(undefined, connection.remoteAddr)),
      denyInboundEncryptedConnection: (peer, connection) => !at(peer, connection.remoteAddr),
      denyOutboundEncryptedConnection: (peer, connection) => !at(peer, connection.remoteAddr),
      filterMultiaddrForPeer: () => true,
    },
  };
}

/** Returns the IP address of a multiaddr. */
export function addressOf(address: Multiaddr): string | undefined {
  return address.getComponents().find(({ name }) => name === 'ip4' || name === 'ip6')?.value;
}
