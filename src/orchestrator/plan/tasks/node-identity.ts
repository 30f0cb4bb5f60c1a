import { hexToBytes } from '../../../protocol/hex.ts';
import type { NodeSpec } from '../../spec/schema/types.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { isPortOpen } from '../given.ts';
import { deriveKey, type KeyOwner, peerIdOf } from '../keys.ts';
import { entryOf, taskIds } from '../lookup.ts';
import { advertise, type Place, reach } from '../reach.ts';

/** A node before its peers are known. */
export interface NodeIdentity {
  readonly name: string;
  readonly spec: NodeSpec;
  /** What its keys derive from. */
  readonly owner: KeyOwner;
  readonly p2pKey: string;
  readonly peerId: string;
  /** Multiaddr with peer id; undefined if gossip is off. */
  readonly multiaddr: string | undefined;
  /** Whether the devnet starts it: only then are its connections waited for. */
  readonly spawned: boolean;
  /** Whether it dials its peers. */
  readonly dials: boolean;
}

/** Derives the keys and addresses of a node. */
export function identifyNode(context: PlanContext, chain: PlannedChain, name: string): NodeIdentity {
  const { spec, clients, inputs, addresses } = context;
  const node = entryOf(chain.spec.nodes, name);
  const owner = { seed: spec.seed, devnet: spec.name, chain: chain.name, node: name };
  const p2pKey = deriveKey(owner, 'p2p', inputs.hkdf);
  const peerId = peerIdOf(inputs.publicKeyOf(hexToBytes(`0x${p2pKey}`)));
  const spawned = node.cl.external === undefined && node.cl.launch === 'spawn';
  const common = { name, spec: node, owner, p2pKey, peerId, spawned };
  // The peers that an external node dials are unknown.
  if (node.cl.external !== undefined) return { ...common, multiaddr: node.cl.external.p2p, dials: false };
  const template = entryOf(clients, node.cl.client);
  const open = isPortOpen({ template, process: node.cl, role: template[node.role] }, 'p2p');
  const multiaddr = () => multiaddrOf(context, advertise(addresses, taskIds(chain.name, name).cl, 'p2p'), peerId);
  return { ...common, dials: template.dials, multiaddr: open ? multiaddr() : undefined };
}

function multiaddrOf({ addresses }: Pick<PlanContext, 'addresses'>, { host, port }: Place, peerId: string): string {
  return `/${addresses.hostNames === undefined ? 'ip4' : 'dns4'}/${host}/tcp/${port}/p2p/${peerId}`;
}

/** Returns the multiaddr at which a caller dials a node: with faults, that of the link between them. */
export function dialedAt(
  context: Pick<PlanContext, 'addresses'>,
  chain: string,
  from: string,
  node: NodeIdentity,
): string | undefined {
  if (node.multiaddr === undefined || context.addresses.links === undefined) return node.multiaddr;
  return multiaddrOf(context, reach(context.addresses, from, taskIds(chain, node.name).cl, 'p2p'), node.peerId);
}

/** Returns the nodes that this node dials and those that dial it. */
export function peersOf(node: NodeIdentity, all: readonly NodeIdentity[]): readonly NodeIdentity[] {
  if (node.multiaddr === undefined) return [];
  return all.filter(
    (other) =>
      other.name !== node.name &&
      other.multiaddr !== undefined &&
      ((node.dials && node.spec.peers.includes(other.name)) || (other.dials && other.spec.peers.includes(node.name))),
  );
}
