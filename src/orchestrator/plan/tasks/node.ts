import type { ForkName } from '../../../protocol/forks/index.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { scheduleOfNode } from '../../spec/schema/forks.ts';
import type { NodeSpec, Spec } from '../../spec/schema/types.ts';
import type { ClientTemplate } from '../../template/template.ts';
import type { Values } from '../../template/text.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanInputs } from '../inputs.ts';
import { deriveKey, deriveSecret, peerIdOf } from '../keys.ts';
import { entryOf } from '../lookup.ts';
import type { NodeView, PlannedFile, Task } from '../plan.ts';
import { HOST } from '../ports.ts';
import { externalTask } from './external.ts';
import { needsOf } from './needs.ts';
import { chainFile, overridesFor } from './node-overrides.ts';
import { planOmissions } from './omissions.ts';
import { buildTask, isPortOpen, taskFolder } from './task.ts';
import { urlOf } from './values.ts';

/** Tasks, files, view and notices of a planned node. */
export interface PlannedNode {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: NodeView;
  readonly notices: readonly string[];
}

/** A node before its peers are known. */
export interface NodeIdentity {
  readonly name: string;
  readonly spec: NodeSpec;
  readonly p2pKey: string;
  readonly peerId: string;
  /** Multiaddr with peer id; undefined where gossip is off. */
  readonly multiaddr: string | undefined;
  /** Whether the devnet starts it: only then are its connections waited for. */
  readonly spawned: boolean;
  /** Whether it dials its peers. */
  readonly dials: boolean;
}

/** Derives the keys and addresses of a node. */
export function identifyNode(
  spec: Spec,
  chain: PlannedChain,
  name: string,
  clients: ReadonlyMap<string, ClientTemplate>,
  inputs: PlanInputs,
): NodeIdentity {
  const node = entryOf(chain.spec.nodes, name);
  const owner = { seed: spec.seed, devnet: spec.name, chain: chain.name, node: name };
  const p2pKey = deriveKey(owner, 'p2p', inputs.hkdf);
  const peerId = peerIdOf(inputs.publicKeyOf(hexToBytes(`0x${p2pKey}`)));
  const common = {
    name,
    spec: node,
    p2pKey,
    peerId,
    spawned: node.cl.external === undefined && node.cl.launch === 'spawn',
  };
  // The peers that an external node dials are unknown.
  if (node.cl.external !== undefined) return { ...common, multiaddr: node.cl.external.p2p, dials: false };
  const template = entryOf(clients, node.cl.client);
  const open = isPortOpen({ template, process: node.cl, role: template[node.role] }, 'p2p');
  const port = inputs.ports[`${chain.name}/${name}/cl:p2p`];
  return { ...common, dials: template.dials, multiaddr: open ? `/ip4/${HOST}/tcp/${port}/p2p/${peerId}` : undefined };
}

/** Plans the files, tasks and view of a node. */
export function planNode(
  spec: Spec,
  chain: PlannedChain,
  identity: NodeIdentity,
  all: readonly NodeIdentity[],
  clients: ReadonlyMap<string, ClientTemplate>,
  inputs: PlanInputs,
  values: Values,
  planned: readonly PlannedFile[],
): PlannedNode {
  const { name, spec: node } = identity;
  const ids = { el: `${chain.name}/${name}/el`, cl: `${chain.name}/${name}/cl` };
  const folder = taskFolder(inputs, `${chain.name}/${name}`);
  const owner = { seed: spec.seed, devnet: spec.name, chain: chain.name, node: name };
  const jwt = node.el.external?.jwt ?? `${folder}/jwt.hex`;
  const schedule = scheduleOfNode(chain.schedule, node.override, chain.clock);
  const files: PlannedFile[] = [];
  const secret = (path: string, text: string) =>
    files.push({ path, mode: 0o600, secret: true, content: { kind: 'text', text: `${text}\n` } });
  if (node.el.external === undefined) secret(jwt, deriveSecret(owner, 'jwt', inputs.hkdf));
  const p2pKeyFile = `${folder}/p2p-key.hex`;
  if (node.cl.external === undefined) secret(p2pKeyFile, identity.p2pKey);

  const signer = node.role === 'sequencer' ? chain.roles.sequencer.privateKey.slice(2) : undefined;
  const signerFile = signer === undefined ? undefined : `${folder}/sequencer-key.hex`;
  if (signer !== undefined && signerFile !== undefined) secret(signerFile, signer);

  const http = node.el.external?.http ?? urlOf(inputs, 'http', ids.el, 'http');
  const elTemplate = node.el.external === undefined ? entryOf(clients, node.el.client) : undefined;
  const clTemplate = node.cl.external === undefined ? entryOf(clients, node.cl.client) : undefined;
  const engine = node.el.external?.engine ?? urlOf(inputs, 'http', ids.el, 'engine');
  const rpc = node.cl.external?.rpc ?? urlOf(inputs, 'http', ids.cl, 'rpc');
  const others = all.filter((other) => node.peers.includes(other.name));
  const peers = others.flatMap((other) => other.multiaddr ?? []);
  // Nodes that dial this one gossip blocks to it. Its execution client fetches the earlier ones from them.
  const sources = identity.dials ? others : [...new Set([...others, ...peersOf(identity, all)])];
  const elPeers = sources.map(
    (other) => other.spec.el.external?.http ?? urlOf(inputs, 'http', `${chain.name}/${other.name}/el`, 'http'),
  );
  const shared: Values = {
    ...values,
    'node.name': name,
    'node.jwt': jwt,
    'node.peers': peers.length === 0 ? undefined : peers.join(','),
    'node.elPeers': elPeers.length === 0 ? undefined : elPeers.join(','),
    'node.p2pKey': p2pKeyFile,
    'node.peerId': identity.peerId,
    'sequencer.key': signer,
    'sequencer.keyFile': signerFile,
    'el.http': http,
    'el.engine': engine,
    'el.engineWs': elTemplate?.engineWs ? urlOf(inputs, 'ws', ids.el, 'engine') : engine,
    'el.engineKind': elTemplate?.engineKind ?? undefined,
  };

  const tasks: Task[] = [];
  const notices: string[] = [];
  for (const [part, template] of [
    ['el', elTemplate],
    ['cl', clTemplate],
  ] as const) {
    const process = node[part];
    const id = ids[part];
    if (template === undefined) {
      tasks.push(externalTask(id, chain, name, part, part === 'el' ? http : rpc, inputs));
      continue;
    }
    const moved = overridesFor(template, node, chain, schedule);
    const own = chainFile(template, part, id, chain, schedule, moved.inFile, inputs);
    const omitted = planOmissions(
      id,
      template,
      process,
      { ...shared, ...own?.values },
      own === undefined ? planned : [...planned, own.file],
      inputs,
    );
    // A copy without keys replaces its source file.
    if (own !== undefined && !omitted.files.some(({ path }) => path === own.file.path)) files.push(own.file);
    files.push(...omitted.files);
    notices.push(...omitted.notices);
    tasks.push(
      buildTask(
        {
          id,
          chain: chain.name,
          node: name,
          process,
          template,
          role: template[node.role],
          isAlone: node.role === 'verifier' && peersOf(identity, all).length === 0,
          values: { ...shared, ...own?.values, ...omitted.values },
          overrides: moved.flags,
          secrets: files.flatMap(({ secret: isSecret, content }) =>
            isSecret && content.kind === 'text' ? [content.text.trim()] : [],
          ),
          needs: needsOf(template, ids, entryOf(clients, spec.l1.beacon.client)),
          files: [...planned, ...files],
          onExit: chain.spec.onExit,
          peers: expectedPeers(identity, all),
        },
        inputs,
      ),
    );
  }
  const hasWs =
    elTemplate !== undefined &&
    isPortOpen({ template: elTemplate, process: node.el, role: elTemplate[node.role] }, 'ws');
  const view: NodeView = {
    name,
    role: node.role,
    el: {
      task: ids.el,
      client: node.el.external === undefined ? node.el.client : 'external',
      implementation: elTemplate?.implementation ?? 'external',
      http,
      ws: node.el.external?.ws ?? (hasWs ? urlOf(inputs, 'ws', ids.el, 'ws') : ''),
      engine,
      jwt,
    },
    cl: {
      task: ids.cl,
      client: node.cl.external === undefined ? node.cl.client : 'external',
      implementation: clTemplate?.implementation ?? 'external',
      rpc,
      p2p: identity.multiaddr ?? '',
      peerId: identity.peerId,
    },
    gossip: peersOf(identity, all).length > 0,
    overrides: Object.fromEntries(
      (Object.keys(node.override) as ForkName[])
        .filter((fork) => schedule[fork] !== chain.schedule[fork])
        .map((fork) => [fork, schedule[fork] ?? null]),
    ),
  };
  return { tasks, files, view, notices };
}

/** Counts the peers that connect to a node, in either direction, and that the devnet starts. */
function expectedPeers(node: NodeIdentity, all: readonly NodeIdentity[]): number {
  return peersOf(node, all).filter(({ spawned }) => spawned).length;
}

/** Returns the nodes that this node dials and those that dial it. */
function peersOf(node: NodeIdentity, all: readonly NodeIdentity[]): readonly NodeIdentity[] {
  if (node.multiaddr === undefined) return [];
  return all.filter(
    (other) =>
      other.name !== node.name &&
      other.multiaddr !== undefined &&
      ((node.dials && node.spec.peers.includes(other.name)) || (other.dials && other.spec.peers.includes(node.name))),
  );
}
