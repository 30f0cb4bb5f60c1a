import { type Gateway, type PortMapping, type UPnPNAT, upnpNat } from '@achingbrain/nat-port-mapper';
import { messageOf } from '../../system/failure.ts';
import { isIP } from '../../system/ip.ts';
import type { Logger } from '../../system/log.ts';
import { pause } from '../../system/pause.ts';
import { localAddressTowards } from '../../system/socket.ts';

export interface NatOptions {
  /** URL of the router's UPnP description; undefined: routers are searched for. */
  readonly gateway: string | undefined;
  readonly listenIp: string;
  /** TCP port that this node listens on. */
  readonly port: number;
  /** What the router lists the port under. */
  readonly userAgent: string;
  /** Told where peers outside reach this node whenever that changes; undefined: they do not. */
  readonly onMapped: (mapping: PortMapping | undefined, before: PortMapping | undefined) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export type { PortMapping };

/**
 * Milliseconds. The shortest lease of the library. A port is never given back: the library's deletion names no protocol, which may hit the
 * mapping of somebody else, so that the lease ends it.
 */
const LEASE = 3_600_000;
/** Milliseconds between renewals, after which also a router that forgot or moved is found anew; and between tries where there is none. */
const PAUSE = { renewal: 1_200_000, retry: 60_000 };
/** Milliseconds for a search, and for each router's answer. */
const PATIENCE = 10_000;

/** Has routers forward a port to this node until aborted, by UPnP (Internet Gateway Device 2), and tells what came of it. */
export async function keepMapped(options: NatOptions): Promise<void> {
  const { log, signal } = options;
  const client = upnpNat({ description: options.userAgent, ttl: LEASE, autoRefresh: false });
  let mapped: PortMapping | undefined;
  let told: string | undefined;
  while (!signal.aborted) {
    const outcome = await mapOnce(client, options).catch((error: unknown) => messageOf(error));
    if (signal.aborted) return;
    const mapping = typeof outcome === 'string' ? undefined : outcome;
    if (place(mapping) !== place(mapped)) {
      options.onMapped(mapping, mapped);
      mapped = mapping;
    }
    const news = typeof outcome === 'string' ? outcome : place(outcome);
    if (news !== told && typeof outcome === 'string')
      log.warn('no router forwards a port to this node', {
        reason: outcome,
        hint: 'forward it by hand, and give --p2p.advertise.ip and --p2p.advertise.tcp',
      });
    else if (news !== told) log.info('a router forwards a port to this node', { mapping: news });
    told = news;
    await pause(mapping ? PAUSE.renewal : PAUSE.retry, signal);
  }
}

/** Asks one router after the other. @throws Error with what each said, or that there is none */
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

/** Routers that can be asked. @throws Error where the given one does not describe itself as such */
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
  const own = await localAddressTowards(gateway.host, gateway.port, patient);
  const isReachable = listenIp === own || listenIp === '::' || (listenIp === '0.0.0.0' && isIP(own) === 4);
  if (!isReachable) throw new Error(`it reaches this machine at ${own}, but --p2p.listen.ip is ${listenIp}`);
  return gateway.map(port, own, { protocol: 'TCP', signal: patient });
}

const patience = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);

/** A mapping in words. */
function place(mapping: PortMapping | undefined): string | undefined {
  return (
    mapping && `${mapping.externalHost}:${mapping.externalPort} to ${mapping.internalHost}:${mapping.internalPort}`
  );
}
