import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * Calls back for each line of a stream that is a JSON document. The caller vouches for its type.
 * Any other line, or one past `most` characters, ends the reading and calls `broken`.
 */
export function readMessages<Message>(
  stream: Readable,
  receive: (message: Message) => void,
  broken: () => void,
  most = 64 * 1024 * 1024,
): void {
  let parts: string[] = [];
  let length = 0;
  let isBroken = false;
  const end = () => {
    isBroken = true;
    parts = [];
    broken();
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    if (isBroken) return;
    let at = 0;
    for (let eol = text.indexOf('\n'); eol >= 0; eol = text.indexOf('\n', at)) {
      parts.push(text.slice(at, eol));
      const line = parts.join('');
      parts = [];
      length = 0;
      at = eol + 1;
      if (line.trim() === '') continue;
      let message: Message;
      try {
        message = JSON.parse(line);
      } catch {
        end();
        return;
      }
      receive(message);
    }
    if (at < text.length) {
      parts.push(text.slice(at));
      length += text.length - at;
      if (length > most) end();
    }
  });
  stream.resume();
}

/**
 * Listens on a Unix socket. Rejects with EADDRINUSE if the path exists.
 * Only the owner can connect if its folder is private, whatever the umask.
 */
export function listenUnix(path: string, accept: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(accept);
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Connects to a Unix socket. Resolves with undefined if no process listens. */
export function connectUnix(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/**
 * Resolves with this machine's address on the way to a server. Rejects with the connection's error, or when aborted.
 */
export function localAddressTowards(host: string, port: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('error', reject);
    socket.once('connect', () => {
      const { localAddress = '' } = socket;
      socket.destroy();
      resolve(localAddress);
    });
  });
}

export type { Server, Socket };
