import type { ChainSpec, PortPolicy, ProcessSpec, Spec } from '../spec/schema/types.ts';
import type { ClientTemplate, PortTemplate } from '../template/template.ts';
import { GATE, type HiddenPlace, isGated } from './hidden.ts';
import { linkId, linksOf } from './links.ts';
import { memberId } from './lookup.ts';
import { hostsOf, l1HostOf } from './reach.ts';

/** A port whose number is to be allocated. */
export interface PortRequest {
  /** `<task>:<name>`, the key of the plan's input. */
  readonly key: string;
  readonly task: string;
  readonly name: string;
  readonly host: string;
  readonly transport: 'tcp' | 'udp';
  readonly preferred: number;
  /** hidden: like preferred, but users never see the port, so no notice is printed if it moves. */
  readonly policy: PortPolicy | 'hidden';
}

/** Key of the dashboard's port, and its preferred number. */
export const DASHBOARD = 'dashboard:http';
const DASHBOARD_PORT = 9500;

/** First port of links, below the ranges of automatic and of outgoing ones. Those to L1 are as hidden as L1 is. */
const FIRST_LINK = 14_000;

const L1_PORT = 8545;
const BEACON_PORT = 5052;
const FIRST_CHAIN = 9545;
const PER_CHAIN = 100;
const PER_NODE = 10;

/** Distance of a node's ports from its first one. */
const OFFSETS: Readonly<Record<string, number>> = {
  http: 0,
  ws: 1,
  rpc: 2,
  engine: 6,
  p2p: -23,
  metrics: 28,
  pprof: 3,
  interop: 4,
};
/** Those of its execution client that differ. */
const OF_EXECUTION = { p2p: 7, metrics: 8, pprof: 5 };
const BATCHER = -5;
const PROPOSER = -4;
const CHALLENGER = -8;
const SIGNER = -9;
const DA_SERVER = -10;
const CONDUCTOR = -11;

/**
 * Lists every port of a network with its preferred number, in the order of the tasks. `hidden`: address of L1 behind
 * a gate.
 */
export function portRequests(
  spec: Spec,
  clients: ReadonlyMap<string, ClientTemplate>,
  place: HiddenPlace,
): readonly PortRequest[] {
  const requests: PortRequest[] = [];
  const hosts = { l1Host: l1HostOf(spec, clients, place.host) };
  const add = (task: string, process: ProcessSpec, first: number, offsets: Readonly<Record<string, number>>) => {
    for (const [name, port] of Object.entries(clients.get(process.client)?.ports ?? {})) {
      if (requests.some(({ key }) => key === `${task}:${name}`)) continue;
      const number = process.ports[name];
      requests.push({
        key: `${task}:${name}`,
        task,
        name,
        host: hostsOf(hosts, task).bind,
        transport: port.transport,
        preferred: within(number ?? first + offsetOf(port, offsets[name])),
        policy: number !== undefined && spec.ports === 'auto' ? 'preferred' : spec.ports,
      });
    }
  };
  if (isGated(spec, clients)) {
    const { bind: host } = hostsOf(hosts, 'l1');
    const { port: preferred } = place;
    requests.push({ key: 'l1:rpc', task: 'l1', name: 'rpc', host, transport: 'tcp', preferred, policy: 'hidden' });
    // Its Engine API, if it has one.
    add('l1', spec.l1, L1_PORT, { rpc: 0 });
    const { rpc } = spec.l1.ports;
    const ports = { ...(rpc === undefined ? {} : { [GATE]: rpc }), ...spec.l1.beacon.ports };
    add('l1-beacon', { ...spec.l1.beacon, ports }, BEACON_PORT, { http: 0, [GATE]: L1_PORT - BEACON_PORT });
  } else {
    add('l1', spec.l1, L1_PORT, { rpc: 0 });
    add('l1-beacon', spec.l1.beacon, BEACON_PORT, { http: 0 });
  }
  for (const [index, [name, chain]] of Object.entries(spec.chains).entries())
    addChain(add, name, chain, FIRST_CHAIN + index * PER_CHAIN);
  return [
    ...requests,
    ...dashboardRequests(spec, hostsOf(hosts, 'dashboard').bind),
    ...linksOf(spec, clients).map((link, index): PortRequest => {
      const { bind: host } = hostsOf(hosts, link.to);
      const policy = spec.ports === 'auto' ? 'auto' : 'hidden';
      const common = { task: link.to, name: link.port, host, transport: link.transport ?? 'tcp', policy } as const;
      return {
        ...common,
        key: linkId(link),
        preferred: within((link.to === 'l1' ? place.port + 1 : FIRST_LINK) + index),
      };
    }),
  ];
}

function dashboardRequests({ dashboard, ports }: Spec, host: string): readonly PortRequest[] {
  if (dashboard === null) return [];
  const { port: preferred = DASHBOARD_PORT } = dashboard;
  const policy = dashboard.port !== undefined && ports === 'auto' ? 'preferred' : ports;
  return [{ key: DASHBOARD, task: 'dashboard', name: 'http', host, transport: 'tcp', preferred, policy }];
}

function addChain(
  add: (task: string, process: ProcessSpec, first: number, offsets: Readonly<Record<string, number>>) => void,
  name: string,
  chain: ChainSpec,
  first: number,
): void {
  // The sequencer has the first port numbers at any position in the spec.
  const nodes = Object.entries(chain.nodes).sort(
    ([, a], [, b]) => Number(b.role === 'sequencer') - Number(a.role === 'sequencer'),
  );
  for (const [index, [node, { role, el, cl }]] of nodes.entries()) {
    const base = first + index * PER_NODE;
    if (el.external === undefined) add(`${name}/${node}/el`, el, base, { ...OFFSETS, ...OF_EXECUTION });
    if (cl.external === undefined) add(`${name}/${node}/cl`, cl, base, OFFSETS);
    if (role === 'sequencer' && chain.conductor?.front != null)
      add(memberId(name, node), { ...chain.conductor, ports: {} }, base, {});
  }
  if (chain.batcher !== null) add(`${name}/batcher`, chain.batcher, first + BATCHER, { rpc: 0, metrics: 30, pprof: 2 });
  if (chain.proposer !== null)
    add(`${name}/proposer`, chain.proposer, first + PROPOSER, { rpc: 0, metrics: 31, pprof: 2 });
  if (chain.conductor !== null)
    add(`${name}/conductor`, chain.conductor.front ?? chain.conductor, first + CONDUCTOR, { rpc: 0 });
  if (chain.altDa !== null) add(`${name}/da-server`, chain.altDa, first + DA_SERVER, { rpc: 0 });
  if (chain.signer !== null) add(`${name}/signer`, chain.signer, first + SIGNER, { rpc: 0 });
  const challenger = chain.proposer?.challenger ?? null;
  if (challenger !== null) add(`${name}/challenger`, challenger, first + CHALLENGER, { rpc: 0, metrics: 32, pprof: 1 });
}

function offsetOf(port: PortTemplate, usual: number | undefined): number {
  return port.offset ?? usual ?? 9;
}

function within(port: number): number {
  return port > 65535 ? 1024 + (port % 64000) : port;
}

/**
 * Assigns a number to every request: the preferred one, or the next that no other request prefers and `isFree`
 * accepts.
 */
export function preferredPorts(
  requests: readonly PortRequest[],
  isFree: (port: number) => boolean = () => true,
): Readonly<Record<string, number>> {
  const used = new Set<number>();
  const numbers: Record<string, number> = {};
  for (const { key, preferred } of requests) {
    let port = preferred;
    while (used.has(port) || !isFree(port)) port = port >= 65535 ? 1024 : port + 1;
    used.add(port);
    numbers[key] = port;
  }
  return numbers;
}
