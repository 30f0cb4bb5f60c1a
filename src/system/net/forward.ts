import type { Server, Socket } from 'node:net';
import type { Running } from '../program/program.ts';
import { type Place, relay, towardsName } from './relay.ts';

/**
 * Passes connections to ports of `host` on to the same ports of other hosts, until stopped.
 * Names are looked up at each connection, because a host that starts again has another address.
 */
export async function startForwarding(places: readonly Place[], host: string): Promise<Running> {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const stop = async () => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  try {
    for (const place of places) {
      const server = await relay({ host, port: place.port }, () => towardsName(place));
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      servers.push(server);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop, failed: new Promise<never>(() => undefined) };
}
