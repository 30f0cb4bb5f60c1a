import type { WebSocket } from 'ws';
import { type DispatchOptions, dispatch, failureText } from './dispatch.ts';
import { joinJson } from './json-text.ts';

export interface SocketOptions<Context> extends DispatchOptions<Context> {
  /** Unread bytes at which the connection of a slow reader is closed; default 64 MB. */
  readonly maxUnread?: number;
  /** Bytes of a message; default: as of an HTTP body, at least 15 MB. */
  readonly maxMessage?: number;
}

/** Serves one WebSocket connection. Its notifications end with it. */
export function serveSocket<Context>(options: SocketOptions<Context>, socket: WebSocket, from: string): void {
  const maxUnread = options.maxUnread ?? 64 * 1024 * 1024;
  const closed = new AbortController();
  socket.on('close', () => closed.abort());
  socket.on('error', () => socket.terminate());
  const send = (text: string | Buffer): boolean => {
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount > maxUnread) {
      socket.terminate();
      return false;
    }
    socket.send(text, { binary: false });
    return true;
  };
  const notify = (method: string, params: unknown) => send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  const { envelope, maxMessage = Number.POSITIVE_INFINITY } = options;
  socket.on('message', (data: Buffer) => {
    if (data.length > maxMessage && envelope?.bodyTooLarge !== undefined) {
      send(failureText(null, envelope.bodyTooLarge(maxMessage)));
      return;
    }
    void dispatch(options, data.toString('utf8'), { transport: 'websocket', notify, from, closed: closed.signal }).then(
      (answer) => {
        if (answer !== undefined) send(joinJson(answer));
      },
    );
  });
}
