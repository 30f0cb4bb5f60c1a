import { isIPv4, type ListenOptions, type Server } from 'node:net';

/** How a server of Node's listens where the family of its address is known: older than `listen`, and kept since. */
interface Direct {
  _listen2?(address: string, port: number, family: 4, backlog: number): void;
}

/** Connections that wait to be accepted, at most: Node's own number. */
const BACKLOG = 511;

/**
 * Listens on an address and calls back when it does; what goes wrong is the server's `error` event. An IPv4 address is taken as it is:
 * `server.listen` looks it up, and asks whether it is one of IPv6 by an expression whose compilation takes each process 5 ms of its start.
 */
export function listenTcp(server: Server, at: ListenOptions, listening: () => void): void {
  const direct = server as Direct;
  if (at.host === undefined || at.port === undefined || !isIPv4(at.host) || direct._listen2 === undefined) {
    server.listen(at, listening);
    return;
  }
  server.once('listening', listening);
  direct._listen2(at.host, at.port, 4, BACKLOG);
}

export type { ListenOptions, Server };
