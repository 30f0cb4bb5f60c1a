import { createServer } from 'node:http';
import { outerAddress, type Place, relay, through, towards } from '../../../system/net/relay.ts';
import { relayUdp } from '../../../system/net/relay-udp.ts';

/** What a link passes on. Its only argument, as JSON. */
export interface LinkOrder {
  /** Published ports of the container, each with the place in it where a process of the devnet listens. */
  readonly inward: readonly {
    readonly port: number;
    readonly transport: 'tcp' | 'udp';
    readonly to: Place;
  }[];
  /** Places where processes of the machine listen: connections to them go through the socket. */
  readonly outward: readonly Place[];
  /** Path of the supervisor's socket. */
  readonly socket: string;
}

/** Line by which a link tells that it listens at all places. */
export const LINKED = 'linked';

/**
 * Runs in the container whose network all containers of a devnet share, until it is killed.
 * In it every process of the devnet has the address that it has on the machine: a loopback address and its port.
 */
export async function main(argument: string): Promise<void> {
  process.title = 'devnet-link';
  const order = JSON.parse(argument) as LinkOrder;
  const host = outerAddress();
  // A network without such an address publishes no port.
  if (host !== undefined)
    await Promise.all(
      order.inward.map(({ port, transport, to }) =>
        transport === 'udp' ? relayUdp({ host, port }, to) : relay({ host, port }, () => towards(to)),
      ),
    );
  await Promise.all(order.outward.map((place) => relay(place, () => through(order.socket, place))));
  if (order.inward.length + order.outward.length === 0) createServer().listen(0, '127.0.0.1');
  process.stdout.write(`${LINKED}\n`);
}
