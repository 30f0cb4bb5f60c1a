import type { Spec } from '../spec/schema/types.ts';
import type { ClientTemplate } from '../template/template.ts';
import { GATE, isGated } from './hidden.ts';
import type { HostNames, PlanInputs } from './inputs.ts';
import { type LinkEnds, linkId, linksOf } from './links.ts';
import { entryOf, taskIds } from './lookup.ts';

/** Address of this machine that only its own processes reach. */
export const HOST = '127.0.0.1';

/** Caller of `reach` that is the supervisor: its probes and its observers. */
export const SUPERVISOR = 'supervisor';

/** Caller of `reach` that is no part of the network: a command, a wallet, a page. */
export const OUTSIDE = 'outside';

/** Listen address of servers that other machines reach. */
const EVERY_ADDRESS = '0.0.0.0';

/** Callers that see L1 itself. All others see it by its gate, which holds requests while L1 is made again. */
const BESIDE_L1: ReadonlySet<string> = new Set(['l1', 'l1-beacon', SUPERVISOR]);

/** Tasks of L1, which is one machine to all others. */
const AT_L1: ReadonlySet<string> = new Set(['l1', 'l1-beacon']);

/** Stands for an address without a link. */
const UNLINKED: Place = { host: 'unlinked.invalid', port: 1 };

/** Hosts of a task. They are one address while all tasks of a network run on one machine. */
interface Hosts {
  /** Its servers listen at it. */
  readonly bind: string;
  /** Its peers receive it, to dial it. */
  readonly advertise: string;
  /** Callers connect to it. */
  readonly reach: string;
}

type Clients = ReadonlyMap<string, ClientTemplate>;

/** A host and a port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The values that the addresses of a network's tasks follow from. */
export interface Addresses {
  /** Address of L1 itself. */
  readonly l1Host: string;
  /** Whether L1 is reached by the gate of its beacon node. */
  readonly isGated: boolean;
  /** Host names by task; undefined: all run on one machine. */
  readonly hostNames?: HostNames | undefined;
  /** Port numbers by `<task>:<port>`. */
  readonly ports: Readonly<Record<string, number>>;
  /** URLs that the spec gives of processes outside the devnet, by `<task>:<port>`. */
  readonly external: ReadonlyMap<string, string>;
  /** Places of the proxies by the ids of their links. Absent: tasks call each other directly. */
  readonly links?: ReadonlyMap<string, Place> | undefined;
}

/** Collects the values that the addresses of a network follow from. */
export function addressesOf(spec: Spec, clients: Clients, inputs: PlanInputs): Addresses {
  return {
    l1Host: l1HostOf(spec, clients, inputs.hiddenHost),
    isGated: isGated(spec, clients),
    hostNames: inputs.hostNames,
    ports: inputs.ports,
    external: new Map(externalUrls(spec)),
    ...(spec.faults ? { links: linkPlaces(spec, clients, inputs) } : {}),
  };
}

/** Returns where the proxy of each link listens: at the host of its target, which pages may not guess. */
function linkPlaces(spec: Spec, clients: Clients, { hiddenHost, ports }: PlanInputs): ReadonlyMap<string, Place> {
  const l1Host = l1HostOf(spec, clients, hiddenHost);
  const places = linksOf(spec, clients).map((link) => {
    const id = linkId(link);
    return [id, { host: hostsOf({ l1Host }, link.to).bind, port: entryOf(ports, id) }] as const;
  });
  return new Map(places);
}

/** Returns the address of L1 itself: behind a gate, one that web pages cannot guess. */
export function l1HostOf(spec: Spec, clients: Clients, hiddenHost: string): string {
  return isGated(spec, clients) ? hiddenHost : HOST;
}

function externalUrls({ chains }: Spec): readonly (readonly [string, string])[] {
  const nodes = Object.entries(chains).flatMap(([chain, { nodes: all }]) =>
    Object.entries(all).map(([name, { el, cl }]) => ({ ids: taskIds(chain, name), el, cl })),
  );
  return nodes
    .flatMap(({ ids, el, cl }) => [
      [`${ids.el}:http`, el.external?.http] as const,
      [`${ids.el}:ws`, el.external?.ws] as const,
      [`${ids.el}:engine`, el.external?.engine] as const,
      [`${ids.cl}:rpc`, cl.external?.rpc] as const,
    ])
    .flatMap(([key, url]) => (url === undefined ? [] : [[key, url] as const]));
}

/** Returns the hosts of a task. L1 behind its gate has no host name: it listens at the loopback address of its unit. */
export function hostsOf({ l1Host, hostNames }: Pick<Addresses, 'l1Host' | 'hostNames'>, task: string): Hosts {
  const name = task === 'l1' ? undefined : hostNames?.[task];
  if (name !== undefined) return { bind: EVERY_ADDRESS, advertise: name, reach: name };
  const host = task === 'l1' ? l1Host : HOST;
  return { bind: host, advertise: host, reach: host };
}

/** Returns the place at which peers dial a port of a task. */
export function advertise(addresses: Addresses, task: string, port: string): Place {
  return { host: hostsOf(addresses, task).advertise, port: entryOf(addresses.ports, `${task}:${port}`) };
}

/** Returns the place at which a caller connects to a port of a task. `from`: a task, or a caller that is none. */
export function reach(addresses: Addresses, from: string, to: string, port: string): Place {
  const link = linkTo(addresses, { from, to, port });
  if (link !== undefined) return link;
  if (to === 'l1' && port === 'rpc' && addresses.isGated && !BESIDE_L1.has(from))
    return reach(addresses, from, 'l1-beacon', GATE);
  return { host: hostsOf(addresses, to).reach, port: entryOf(addresses.ports, `${to}:${port}`) };
}

/**
 * Returns the place of the proxy between a caller and a port of a task; undefined: they have none.
 * An address that no template of the task receives has no link. It is unusable, so that nothing goes around a proxy.
 */
export function linkTo({ links }: Pick<Addresses, 'links'>, ends: LinkEnds): Place | undefined {
  const { from, to } = ends;
  const isDirect = from === SUPERVISOR || from === OUTSIDE || from === to || (AT_L1.has(from) && AT_L1.has(to));
  return links === undefined || isDirect ? undefined : (links.get(linkId(ends)) ?? UNLINKED);
}

/** Returns the URL at which a caller connects to a port of a task. */
export function urlOf(addresses: Addresses, protocol: 'http' | 'ws', from: string, to: string, port: string): string {
  const external = addresses.external.get(`${to}:${port}`);
  if (external !== undefined) return external;
  const place = reach(addresses, from, to, port);
  return `${protocol}://${place.host}:${place.port}`;
}
