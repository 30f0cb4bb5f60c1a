import { resolve4 } from 'node:dns';
import { connect, createServer, type Server, type Socket, type TcpNetConnectOpts } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A TCP address. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Most bytes of the line that names a place. */
const MAX_TARGET_BYTES = 128;

/** Passes bytes between two sockets until both are closed. An error of one ends both. */
export function join(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
    from.pipe(to);
  }
}

/** Listens at a place and passes each connection on to what `open` returns. Rejects if it cannot listen. */
export function relay(at: Place, open: () => Socket): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => join(socket, open()));
    server.once('error', reject);
    server.listen({ host: at.host, port: at.port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Opens a connection to a place. */
export function towards({ host, port }: Place, options: Partial<TcpNetConnectOpts> = {}): Socket {
  return connect({ ...options, host, port });
}

/**
 * Opens a connection to a host that DNS has. The question does not take a thread of the pool, in which names that have
 * no answer would delay all other questions.
 */
export function towardsName({ host, port }: Place): Socket {
  return connect({
    host,
    port,
    lookup: (name, _, done) =>
      resolve4(name, (error, addresses) =>
        done(
          error,
          addresses?.map((address) => ({ address, family: 4 })),
        ),
      ),
  });
}

/** Opens a connection through a relay on a Unix socket, whose first line names the place. */
export function through(path: string, { host, port }: Place): Socket {
  const socket = connect(path);
  socket.write(`${host}:${port}\n`);
  return socket;
}

/** Passes a connection on to the place that its first line names. Any place but those allowed ends it. */
export function passOn(socket: Socket, allowed: readonly Place[]): void {
  let head = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\n');
    if (end < 0 && head.length < MAX_TARGET_BYTES) return;
    socket.off('data', read).pause();
    const address = head.subarray(0, Math.max(end, 0)).toString();
    const place = allowed.find(({ host, port }) => address === `${host}:${port}`);
    if (place === undefined) {
      socket.destroy();
      return;
    }
    const target = towards(place);
    target.write(head.subarray(end + 1));
    join(socket, target);
  };
  socket.on('data', read).on('error', () => socket.destroy());
}

/** Returns the IPv4 address of this machine that is not of loopback, undefined if there is none. */
export function outerAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
}
