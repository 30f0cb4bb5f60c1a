import { isIPv4, type ListenOptions, type Server } from 'node:net';

/** The undocumented method by which Node's own `listen` binds an address of a known family. */
interface Direct {
  _listen2?(address: string, port: number, family: 4, backlog: number): void;
}

/** Maximal number of connections waiting to be accepted: Node's own. */
const MAX_BACKLOG = 511;

/**
 * Listens on an address and calls back when it does. Errors arrive as the server's `error` event.
 * `server.listen` looks up even an IPv4 address, and tests it with a regular expression whose compilation costs each
 * process 5 ms at start. So an IPv4 address is bound directly.
 */
export function listenTcp(server: Server, at: ListenOptions, listening: () => void): void {
  const direct = server as Direct;
  if (at.host === undefined || at.port === undefined || !isIPv4(at.host) || direct._listen2 === undefined) {
    server.listen(at, listening);
    return;
  }
  server.once('listening', listening);
  direct._listen2(at.host, at.port, 4, MAX_BACKLOG);
}

export type { ListenOptions, Server };
