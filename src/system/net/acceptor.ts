import { createServer, type ServerOpts, type Socket } from 'node:net';
import type { Place } from './relay.ts';

/** Listens at a place. */
export interface Acceptor {
  /** Its number, also if any free one was asked for. */
  readonly port: number;
  /** Closes the port and every connection that it took. */
  stop(): Promise<void>;
}

/** Listens at a place and hands over each connection. Port 0: any free one. Rejects if it cannot listen. */
export function acceptAt(
  { host, port }: Place,
  take: (socket: Socket) => void,
  options: ServerOpts = {},
): Promise<Acceptor> {
  const sockets = new Set<Socket>();
  return new Promise((resolve, reject) => {
    const server = createServer(options, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      take(socket);
    });
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        stop() {
          const closed = new Promise<void>((done) => server.close(() => done()));
          for (const socket of sockets) socket.destroy();
          return closed;
        },
      });
    });
  });
}

/** Starts several acceptors, all or none. Rejects with the first that cannot listen. */
export async function allAcceptors(starts: readonly (() => Promise<Acceptor>)[]): Promise<readonly Acceptor[]> {
  const open: Acceptor[] = [];
  try {
    for (const start of starts) open.push(await start());
    return open;
  } catch (error) {
    await Promise.all(open.map((acceptor) => acceptor.stop()));
    throw error;
  }
}
