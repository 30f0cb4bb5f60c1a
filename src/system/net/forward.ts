import type { Running } from '../program/program.ts';
import { acceptAt, allAcceptors } from './acceptor.ts';
import { join, type Place, towardsName } from './relay.ts';

/**
 * Passes connections to ports of `host` on to the same ports of other hosts, until stopped.
 * Names are looked up at each connection, because a host that starts again has another address.
 */
export async function startForwarding(places: readonly Place[], host: string): Promise<Running> {
  const starts = places.map(
    (place) => () => acceptAt({ host, port: place.port }, (socket) => join(socket, towardsName(place))),
  );
  const acceptors = await allAcceptors(starts);
  return {
    async stop() {
      await Promise.all(acceptors.map((acceptor) => acceptor.stop()));
    },
    failed: new Promise<never>(() => undefined),
  };
}
