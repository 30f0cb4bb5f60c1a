import { type Gateway, type PortMapping, type UPnPNAT, upnpNat } from '@achingbrain/nat-port-mapper';
import { messageOf } from '../../../system/failure.ts';
import { isIP } from '../../../system/net/ip.ts';
import { localAddressTowards } from '../../../system/net/socket.ts';
import type { Logger } from '../../../system/program/log.ts';
import { pause } from '../../../system/time/pause.ts';

/** Settings of port forwarding. */
export interface NatOptions {
  /** URL of the router's UPnP description; undefined: routers are searched for. */
  readonly gateway: string | undefined;
  readonly listenIp: string;
  /** TCP port that this node listens on. */
  readonly port: number;
  /** Description of the mapping in the router's list. */
  readonly userAgent: string;
  /** Called with the external address whenever it changes; undefined: there is none. */
  readonly onMapped: (mapping: PortMapping | undefined, before: PortMapping | undefined) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export type { PortMapping };

/**
 * Lease of a mapping (ms): the library's shortest. The lease alone ends a mapping, because the library's deletion names
 * no protocol and could delete the mapping of another program.
 */
const LEASE_MS = 3_600_000;
/** Milliseconds between renewals, and between searches without a router. A renewal also finds a restarted router. */
const SEARCH_PAUSE_MS = { renewal: 1_200_000, retry: 60_000 };
/** Timeouts (ms) of a search, and of each router's answer. */
const ROUTER_TIMEOUT_MS = 10_000;

/**
 * Keeps a UPnP port mapping (Internet Gateway Device 2) to this node until aborted.
 * Counterpart in op-node: `NATManager` of libp2p.
 */
export async function keepMapped(options: NatOptions): Promise<void> {
  const { log, signal } = options;
  const client = upnpNat({ description: options.userAgent, ttl: LEASE_MS, autoRefresh: false });
  let mapped: PortMapping | undefined;
  let lastNotice: string | undefined;
  while (!signal.aborted) {
    const outcome = await mapOnce(client, options).catch((error: unknown) => messageOf(error));
    if (signal.aborted) return;
    const mapping = typeof outcome === 'string' ? undefined : outcome;
    if (place(mapping) !== place(mapped)) {
      options.onMapped(mapping, mapped);
      mapped = mapping;
    }
    const news = typeof outcome === 'string' ? outcome : place(outcome);
    if (news !== lastNotice && typeof outcome === 'string')
      log.warn('no router forwards a port to this node', {
        reason: outcome,
        hint: 'forward it by hand, and give --p2p.advertise.ip and --p2p.advertise.tcp',
      });
    else if (news !== lastNotice) log.info('a router forwards a port to this node', { mapping: news });
    lastNotice = news;
    await pause(mapping ? SEARCH_PAUSE_MS.renewal : SEARCH_PAUSE_MS.retry, signal);
  }
}

/** Requests the mapping from each router in turn. @throws Error with the answer of each, or without a router */
async function mapOnce(client: UPnPNAT, options: NatOptions): Promise<PortMapping> {
  const refusals: string[] = [];
  for await (const gateway of gateways(client, options)) {
    try {
      return await mapAt(gateway, options);
    } catch (error) {
      refusals.push(`the router ${gateway.host}: ${messageOf(error)}`);
    }
  }
  throw new Error(refusals.join('; ') || 'none answered the search by UPnP (Internet Gateway Device 2)');
}

/** Finds the routers. @throws Error if the given one serves no gateway description */
async function* gateways(client: UPnPNAT, { gateway, signal }: NatOptions): AsyncGenerator<Gateway> {
  const patient = patience(signal);
  if (gateway === undefined) yield* client.findGateways({ signal: patient, searchInterval: 1_000 });
  else
    yield await client.getGateway(new URL(gateway), { signal: patient }).catch((cause: unknown) => {
      throw new Error(`--p2p.nat.gateway ${gateway}: ${messageOf(cause)}`, { cause });
    });
}

async function mapAt(gateway: Gateway, { listenIp, port, signal }: NatOptions): Promise<PortMapping> {
  const patient = patience(signal);
  const localAddress = await localAddressTowards(gateway.host, gateway.port, patient);
  const isReachable =
    listenIp === localAddress || listenIp === '::' || (listenIp === '0.0.0.0' && isIP(localAddress) === 4);
  if (!isReachable) throw new Error(`it reaches this machine at ${localAddress}, but --p2p.listen.ip is ${listenIp}`);
  return gateway.map(port, localAddress, { protocol: 'TCP', signal: patient });
}

const patience = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(ROUTER_TIMEOUT_MS)]);

/** Formats a mapping for the log. */
function place(mapping: PortMapping | undefined): string | undefined {
  return (
    mapping && `${mapping.externalHost}:${mapping.externalPort} to ${mapping.internalHost}:${mapping.internalPort}`
  );
}
