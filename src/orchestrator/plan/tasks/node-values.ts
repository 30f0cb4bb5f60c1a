import type { ValuesOf } from '../../template/references.ts';
import type { ClientTemplate } from '../../template/template.ts';
import { taskFolder } from '../inputs.ts';
import { deriveSecret } from '../keys.ts';
import { ANY } from '../links.ts';
import { entryOf, memberId, type TaskIds, taskIds } from '../lookup.ts';
import type { PlannedFile } from '../plan.ts';
import { type Addresses, linkTo, urlOf } from '../reach.ts';
import type { ChainContext } from './context.ts';
import { dialedAt, type NodeIdentity, peersOf } from './node-identity.ts';
import type { NodeReference, ValuesFor } from './values.ts';

/** What both processes of a node share. */
export interface NodeShare {
  readonly ids: TaskIds;
  /** Templates of the processes that the devnet plans; undefined: external. */
  readonly el: ClientTemplate | undefined;
  readonly cl: ClientTemplate | undefined;
  /** Path of the secret of the Engine API. */
  readonly jwt: string;
  /** The files of its secrets, and these secrets. */
  readonly files: readonly PlannedFile[];
  readonly secrets: readonly string[];
  readonly values: ValuesFor;
}

/** Plans the keys, addresses and references of a node. */
export function nodeShare(context: ChainContext, identity: NodeIdentity): NodeShare {
  const { chain, clients, inputs, addresses, values } = context;
  const { name, spec: node, owner } = identity;
  const ids = taskIds(chain.name, name);
  const folder = taskFolder(inputs, `${chain.name}/${name}`);
  const jwt = node.el.external?.jwt ?? `${folder}/jwt.hex`;
  const p2pKeyFile = `${folder}/p2p-key.hex`;
  const isSequencer = node.role === 'sequencer';
  const isConducted = isSequencer && chain.spec.conductor !== null;
  const asksSigner = isSequencer && chain.spec.signer !== null;
  const signer = isSequencer && !asksSigner ? chain.roles.sequencer.privateKey.slice(2) : undefined;
  const signerFile = signer === undefined ? undefined : `${folder}/sequencer-key.hex`;
  const secrets = [
    ...(node.el.external === undefined ? [[jwt, deriveSecret(owner, 'jwt', inputs.hkdf)] as const] : []),
    ...(node.cl.external === undefined ? [[p2pKeyFile, identity.p2pKey] as const] : []),
    ...(signer === undefined || signerFile === undefined ? [] : [[signerFile, signer] as const]),
  ];
  const el = node.el.external === undefined ? entryOf(clients, node.el.client) : undefined;
  const cl = node.cl.external === undefined ? entryOf(clients, node.cl.client) : undefined;
  const conductorAt = (from: string) => urlOf(addresses, 'http', from, `${chain.name}/conductor`, 'rpc');
  const nodeValues = (from: string): ValuesOf<NodeReference> => ({
    'node.name': name,
    'node.jwt': jwt,
    ...peerValues(context, identity, from),
    ...announced(addresses, ids.cl),
    'node.follow':
      node.cl.follow === undefined
        ? undefined
        : urlOf(addresses, 'http', from, taskIds(chain.name, node.cl.follow).cl, 'rpc'),
    'node.p2pKey': p2pKeyFile,
    'node.peerId': identity.peerId,
    'sequencer.key': signer,
    'sequencer.keyFile': signerFile,
    'node.adminState': isConducted ? undefined : `${taskFolder(inputs, ids.cl)}/data/admin-state.json`,
    'conductor.enabled': isConducted ? true : undefined,
    'conductor.rpc': isConducted ? conductorOf(context, name, from) : undefined,
    'conductor.forward': isConducted ? `${conductorAt(from)}/el/${name}` : undefined,
    'signer.rpc': asksSigner ? urlOf(addresses, 'http', from, `${chain.name}/signer`, 'rpc') : undefined,
    'signer.address': asksSigner ? chain.roles.sequencer.address : undefined,
    'signer.tls': asksSigner ? false : undefined,
    'el.http': urlOf(addresses, 'http', from, ids.el, 'http'),
    'el.engine': urlOf(addresses, 'http', from, ids.el, 'engine'),
    'el.engineWs': urlOf(addresses, el?.engineWs ? 'ws' : 'http', from, ids.el, 'engine'),
    'el.engineKind': el?.engineKind ?? undefined,
  });
  return {
    ids,
    el,
    cl,
    jwt,
    files: secrets.map(([path, secret]) => secretFile(path, secret)),
    secrets: secrets.map(([, secret]) => secret),
    values: (from) => ({ ...values(from), ...nodeValues(from) }),
  };
}

/** Returns where a sequencer finds its conductor: its own, or its path of the one of the set. */
function conductorOf({ chain, addresses }: ChainContext, name: string, from: string): string {
  return chain.spec.conductor?.front == null
    ? `${urlOf(addresses, 'http', from, `${chain.name}/conductor`, 'rpc')}/member/${name}`
    : urlOf(addresses, 'http', from, memberId(chain.name, name), 'rpc');
}

function secretFile(path: string, secret: string): PlannedFile {
  return { path, mode: 0o600, secret: true, content: { kind: 'text', text: `${secret}\n` } };
}

/** Returns the place that a rollup node announces to its peers in place of its own. */
function announced(addresses: Addresses, id: string): ValuesOf<'node.p2pHost' | 'node.p2pPort' | 'node.p2pUdpPort'> {
  const ends = { from: ANY, to: id, port: 'p2p' };
  const place = linkTo(addresses, ends);
  const udp = linkTo(addresses, { ...ends, transport: 'udp' });
  return { 'node.p2pHost': place?.host, 'node.p2pPort': place?.port, 'node.p2pUdpPort': udp?.port };
}

function peerValues(
  context: ChainContext,
  identity: NodeIdentity,
  from: string,
): ValuesOf<'node.peers' | 'node.elPeers'> {
  const { chain, nodes, addresses } = context;
  const dialed = nodes.filter((other) => identity.spec.peers.includes(other.name));
  const peers = dialed.flatMap((other) => dialedAt(context, chain.name, from, other) ?? []);
  // Nodes that dial this one gossip blocks to it. Its execution client fetches the earlier ones from them.
  const sources = identity.dials ? dialed : [...new Set([...dialed, ...peersOf(identity, nodes)])];
  const elPeers = sources.map(({ name }) => urlOf(addresses, 'http', from, taskIds(chain.name, name).el, 'http'));
  return {
    'node.peers': peers.length === 0 ? undefined : peers.join(','),
    'node.elPeers': elPeers.length === 0 ? undefined : elPeers.join(','),
  };
}
