import { createSocket, type Socket } from 'node:dgram';
import type { Place } from './relay.ts';

/** Time (ms) after its last datagram at which a source is forgotten. */
const IDLE_SOURCE_MS = 120_000;

/** Most sources at once. Datagrams of more are dropped. */
const MAX_SOURCES = 256;

/** Passes a datagram on, later or never if it is so decided. */
type Passage = (bytes: number, send: () => void) => void;

const AT_ONCE: Passage = (_, send) => send();

/** How a relay passes datagrams on. */
interface RelayOptions {
  /** Passes a datagram on to the target. */
  readonly there?: Passage;
  /** Passes an answer back to its source. */
  readonly back?: Passage;
  /** Returns the socket by which others know a source. Its datagrams come from there. */
  readonly knownBy?: (source: Place) => Socket | undefined;
}

/** Passes datagrams on from one place to another, and the answers back to their sources. */
export function relayUdp(
  at: Place,
  to: Place,
  { there = AT_ONCE, back = AT_ONCE, knownBy = () => undefined }: RelayOptions = {},
): Promise<Socket> {
  const server = createSocket('udp4');
  const sources = new Map<string, { readonly socket: Socket; last: number }>();
  server.on('close', () => {
    for (const { socket } of sources.values()) socket.close();
    sources.clear();
  });
  server.on('message', (data, { address, port }) => {
    const sender = knownBy({ host: address, port });
    if (sender !== undefined) return there(data.length, () => sendFrom(sender, data, to));
    const key = `${address}:${port}`;
    let source = sources.get(key);
    if (source === undefined) {
      forgetIdle(sources);
      if (sources.size >= MAX_SOURCES) return;
      const socket = createSocket('udp4');
      socket
        .on('message', (answer) => back(answer.length, () => sendFrom(server, answer, { host: address, port })))
        .on('error', () => undefined);
      source = { socket, last: 0 };
      sources.set(key, source);
    }
    source.last = performance.now();
    const { socket } = source;
    there(data.length, () => sendFrom(socket, data, to));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.bind(at.port, at.host, () => {
      server.off('error', reject).on('error', () => undefined);
      resolve(server);
    });
  });
}

/** Sends a datagram, unless the socket was closed while the datagram was late. */
function sendFrom(socket: Socket, data: Uint8Array, { host, port }: Place): void {
  try {
    socket.send(data, port, host);
  } catch {
    // Closed.
  }
}

function forgetIdle(sources: Map<string, { readonly socket: Socket; readonly last: number }>): void {
  for (const [key, { socket, last }] of sources)
    if (performance.now() - last > IDLE_SOURCE_MS) {
      socket.close();
      sources.delete(key);
    }
}
