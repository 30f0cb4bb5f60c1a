import type { ConductorSpec, ProcessSpec, Spec } from '../spec/schema/types.ts';
import type { Reference } from '../template/references.ts';
import type { ClientTemplate, OptionsTemplate } from '../template/template.ts';
import { referencesIn } from '../template/text.ts';
import { isPortOpen, textsGiven } from './given.ts';
import { entryOf, memberId, taskIds } from './lookup.ts';

/** Caller of links that any peer uses: those that found a node by its record. */
export const ANY = '*';

/** Where a link begins and ends. */
export interface LinkEnds {
  /** A task, or `ANY`. */
  readonly from: string;
  readonly to: string;
  /** Name of the port of `to`. */
  readonly port: string;
  /** Default: tcp. */
  readonly transport?: 'tcp' | 'udp';
}

/** A port of a task. */
type Target = readonly [task: string, port: string, transport?: 'udp'];

/** A task as far as its links depend on it. */
interface Caller {
  readonly id: string;
  readonly template: ClientTemplate;
  readonly role?: OptionsTemplate | undefined;
  readonly process: ProcessSpec;
}

/** The references of templates that lead to other tasks, by name. */
type Leads = Partial<Record<Reference, readonly Target[]>>;

/** Returns the id of a link, which is also the key of its port. */
export function linkId({ from, to, port, transport }: LinkEnds): string {
  return `link:${from}>${to}:${port}${transport === 'udp' ? '/udp' : ''}`;
}

/**
 * Lists the links of a network with faults. There is one for each reference that a task receives and that is an
 * address of another task. L1 and its beacon node are one machine, so that there is no link between them.
 */
export function linksOf(spec: Spec, clients: ReadonlyMap<string, ClientTemplate>): readonly LinkEnds[] {
  if (!spec.faults) return [];
  return Object.keys(spec.chains).flatMap((name) => chainLinks(name, spec, clients));
}

const ofL1: Leads = {
  'l1.http': [['l1', 'rpc']],
  'l1.ws': [['l1', 'rpc']],
  'l1.beacon': [['l1-beacon', 'http']],
};

function chainLinks(name: string, spec: Spec, clients: ReadonlyMap<string, ClientTemplate>): readonly LinkEnds[] {
  const { nodes, batcher, proposer, signer, altDa, conductor } = entryOf(spec.chains, name);
  const templateOf = (process: ProcessSpec) => entryOf(clients, process.client);
  const sequencer = Object.keys(nodes).find((node) => entryOf(nodes, node).role === 'sequencer') ?? '';
  const { el, cl } = taskIds(name, sequencer);
  const common: Leads = {
    ...ofL1,
    ...(conductor === null
      ? { 'sequencer.http': [[el, 'http']], 'sequencer.ws': [[el, 'ws']], 'sequencer.rpc': [[cl, 'rpc']] }
      : ofConductor(name)),
    ...(altDa !== null && { 'altDa.server': [[`${name}/da-server`, 'rpc'] as const] }),
  };
  const ofSigner: Leads = signer === null ? {} : { 'signer.rpc': [[`${name}/signer`, 'rpc']] };
  const links = Object.entries(nodes).flatMap(([node, each]) => {
    const ids = taskIds(name, node);
    const leads = {
      ...common,
      ...nodeLeads(name, node, nodes, templateOf),
      ...(each.role === 'sequencer' && ofSigner),
      ...(conductor?.front != null && { 'conductor.rpc': [[memberId(name, node), 'rpc'] as const] }),
    };
    return (['el', 'cl'] as const).flatMap((part) => {
      const template = templateOf(each[part]);
      return linksFrom({ id: ids[part], template, role: template[each.role], process: each[part] }, leads);
    });
  });
  const leader = conductor === null ? [] : conductorLinks(name, conductor, nodes, templateOf);
  const posters = Object.entries({ batcher, proposer, challenger: proposer?.challenger ?? null }).flatMap(
    ([kind, process]) =>
      process === null ? [] : linksFrom({ id: `${name}/${kind}`, template: templateOf(process), process }, common),
  );
  return [...links, ...posters, ...leader];
}

/** Links of the conductor to the sequencers, and of the conductors of these. Raft itself goes by none. */
function conductorLinks(
  chain: string,
  conductor: ConductorSpec,
  nodes: Spec['chains'][string]['nodes'],
  templateOf: (process: ProcessSpec) => ClientTemplate,
): readonly LinkEnds[] {
  const members = Object.keys(nodes).filter((node) => entryOf(nodes, node).role === 'sequencer');
  const ofNode = (node: string) => {
    const { el, cl } = taskIds(chain, node);
    return { rpc: [cl, 'rpc'], http: [el, 'http'] } as const satisfies Readonly<Record<string, Target>>;
  };
  const { front } = conductor;
  const toMembers = members.flatMap((node): readonly Target[] => [
    ...Object.values(ofNode(node)),
    ...(front === null ? [] : [[memberId(chain, node), 'rpc'] as const]),
  ]);
  const process = front ?? conductor;
  const ofSet = linksFrom(
    { id: `${chain}/conductor`, template: templateOf(process), process },
    { ...ofL1, 'conductor.members': toMembers },
  );
  if (front === null) return ofSet;
  const template = templateOf(conductor);
  return [
    ...ofSet,
    ...members.flatMap((node) => {
      const { rpc, http } = ofNode(node);
      const caller = { id: memberId(chain, node), template, process: conductor };
      return linksFrom(caller, { 'member.rpc': [rpc], 'member.http': [http] });
    }),
  ];
}

/** With a conductor all requests to the sequencer go by it. */
function ofConductor(chain: string): Leads {
  const target: readonly Target[] = [[`${chain}/conductor`, 'rpc']];
  return { 'sequencer.http': target, 'sequencer.rpc': target, 'conductor.rpc': target, 'conductor.forward': target };
}

function nodeLeads(
  chain: string,
  name: string,
  nodes: Spec['chains'][string]['nodes'],
  templateOf: (process: ProcessSpec) => ClientTemplate,
): Leads {
  const ids = taskIds(chain, name);
  const { peers, cl } = entryOf(nodes, name);
  // A node that dials no peer fetches blocks from those that dial it.
  const callers = Object.keys(nodes).filter((other) => entryOf(nodes, other).peers.includes(name));
  const isOpen = (other: string) => {
    const { cl: process, role } = entryOf(nodes, other);
    const template = templateOf(process);
    return isPortOpen({ template, role: template[role], process }, 'p2p');
  };
  const sources = templateOf(cl).dials ? peers : [...new Set([...peers, ...callers])];
  return {
    'el.http': [[ids.el, 'http']],
    'el.engine': [[ids.el, 'engine']],
    'el.engineWs': [[ids.el, 'engine']],
    'node.peers': peers.filter(isOpen).map((peer): Target => [taskIds(chain, peer).cl, 'p2p']),
    'node.elPeers': sources.map((peer): Target => [taskIds(chain, peer).el, 'http']),
    'node.follow': cl.follow === undefined ? [] : [[taskIds(chain, cl.follow).cl, 'rpc']],
    'node.p2pHost': [[ids.cl, 'p2p']],
    'node.p2pPort': [[ids.cl, 'p2p']],
    'node.p2pUdpPort': [[ids.cl, 'p2p', 'udp']],
  };
}

/** Returns the links of a task, each once, in the order of its arguments. */
function linksFrom({ id, ...parts }: Caller, leads: Leads): readonly LinkEnds[] {
  const all: Readonly<Record<string, readonly Target[]>> = leads;
  const targets = textsGiven(parts)
    .flatMap(referencesIn)
    .flatMap((reference) => (Object.hasOwn(all, reference) ? entryOf(all, reference) : []));
  // What a task announces of itself is where others call it.
  const links = targets.map(
    ([to, port, transport]): LinkEnds => ({
      from: to === id ? ANY : id,
      to,
      port,
      transport: transport ?? 'tcp',
    }),
  );
  return [...new Map(links.map((link) => [linkId(link), link])).values()];
}
