import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy with a replaceable target: a restart of the target as another program. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Closes all connections. New ones go to the port, or are refused if it is undefined. */
  pointTo(port: number | undefined): void;
  /** Connections that were refused so far. */
  refused(): number;
}

/** `port` undefined: refuses every connection until it has a target. */
export async function startProxy(port: number | undefined): Promise<Proxy> {
  let target = port;
  let refused = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (target === undefined) {
      refused++;
      return socket.destroy();
    }
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(next) {
      target = next;
      for (const socket of sockets) socket.destroy();
    },
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
