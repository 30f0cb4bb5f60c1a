import type { ClientHttp2Session, ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { type Place, towardsName } from './relay.ts';

/** Bytes of a connection that are on their way before its other end takes them. */
const WINDOW_BYTES = 1_000_000;

/** Time (ms) between two questions whether the other end is there, and for the answer. */
const PING_MS = 10_000;

/** HTTP/2 is loaded where connections are carried. */
const http2 = (): typeof import('node:http2') => process.getBuiltinModule('node:http2');

const wordOf = ({ host, port }: Place): string => `${host}:${port}`;

/** Many connections within one stream, each of them a CONNECT of HTTP/2. */
export interface StreamCarrier {
  /** Joins a socket with a place that the other end reaches. */
  carry(socket: Duplex, place: Place): void;
  /** Resolves when the other end has answered; rejects if the stream ends before. */
  readonly open: Promise<void>;
  /** Whether the stream has ended. */
  isOver(): boolean;
  stop(): void;
}

/** Carries connections within a stream, whose other end serves them by {@link servePlaces}. */
export function carryWithin(stream: Duplex, refused: (place: Place, reason: string) => void): StreamCarrier {
  const session = http2().connect('http://carried', {
    createConnection: () => stream,
    settings: { initialWindowSize: WINDOW_BYTES },
  });
  const opens = Promise.withResolvers<void>();
  opens.promise.catch(() => undefined);
  session.on('error', (error) => opens.reject(error));
  session.once('remoteSettings', () => opens.resolve());
  session.once('close', () => {
    opens.reject(new Error('the other end has ended'));
  });
  stopWithoutAnswers(session);
  return {
    open: opens.promise,
    isOver: () => session.destroyed || session.closed,
    carry(socket, place) {
      if (session.destroyed || session.closed) {
        socket.destroy();
        return;
      }
      const tunnel = session.request({ ':method': 'CONNECT', ':authority': wordOf(place) });
      tunnel.on('response', ({ ':status': status }) => {
        if (status === 200) return;
        refused(place, `status ${status}`);
        socket.destroy();
      });
      pass(socket, tunnel);
    },
    stop: () => session.destroy(),
  };
}

/** Ends a session whose other end is gone without a word, as after a sleep of this machine. */
function stopWithoutAnswers(session: ClientHttp2Session): void {
  let isAnswered = true;
  const timer = setInterval(() => {
    if (!isAnswered) {
      session.destroy(new Error(`no answer within ${PING_MS / 1000} s`));
      return;
    }
    isAnswered = false;
    session.ping(() => {
      isAnswered = true;
    });
  }, PING_MS).unref();
  session.once('close', () => clearInterval(timer));
}

/** Serves the connections within a stream: to these places alone. Returns when the stream has ended. */
export async function servePlaces(stream: Duplex, places: readonly Place[]): Promise<void> {
  const settings = { initialWindowSize: WINDOW_BYTES };
  const session: ServerHttp2Session = http2().performServerHandshake(stream, { settings });
  session.on('error', () => undefined);
  session.on('stream', (tunnel, { ':method': verb, ':authority': authority }) => {
    const place = places.find((each) => wordOf(each) === authority);
    tunnel.on('error', () => undefined);
    if (verb !== 'CONNECT' || place === undefined) {
      tunnel.respond({ ':status': 403 }, { endStream: true });
      return;
    }
    const socket = towardsName(place);
    socket.once('connect', () => {
      tunnel.respond({ ':status': 200 });
      pass(socket, tunnel);
    });
    socket.once('error', () => {
      if (!tunnel.headersSent && !tunnel.destroyed) tunnel.respond({ ':status': 502 }, { endStream: true });
    });
  });
  await new Promise<void>((resolve) => session.once('close', resolve));
}

/** Passes bytes between two streams until both have ended. An error of one ends both. */
function pass(a: Duplex, b: Duplex): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // What has ended in order is passed on to its last byte.
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  }
}
