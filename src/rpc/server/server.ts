import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DispatchOptions, dispatch, failureText } from './dispatch.ts';
import { STANDARD_ENVELOPE } from './envelope.ts';
import { end, isJson, type ListenerOptions, openListener, type RunningServer, readBody } from './listener.ts';
import { type SocketOptions, serveSocket } from './websocket.ts';

export type { RunningServer };

export interface ServerOptions<Context> extends SocketOptions<Context>, ListenerOptions {
  readonly http: boolean;
  readonly websocket: boolean;
  /** Methods over WebSocket, if they differ from HTTP's. */
  readonly websocketMethods?: DispatchOptions<Context>['methods'];
  /** Bytes of an HTTP body. */
  readonly maxBody?: number;
  /** Handles other paths than the RPC's. Returns true if it took the request. */
  readonly route?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Serves JSON-RPC over HTTP and WebSocket on one port. @throws the listen error (EADDRINUSE, EACCES) */
export function serve<Context>(options: ServerOptions<Context>): Promise<RunningServer> {
  const maxMessage = options.maxMessage ?? Math.max(bodyLimit(options), 15 * 1024 * 1024);
  const methods = options.websocketMethods ?? options.methods;
  return openListener(options, {
    request: (request, response) => handle(options, request, response),
    ...(options.websocket && {
      upgrade: {
        // A message must be read before the error about its size can be sent.
        maxPayload: options.envelope?.bodyTooLarge === undefined ? maxMessage : 2 * maxMessage,
        open: ({ socket }, accept) =>
          accept((opened) => serveSocket({ ...options, maxMessage, methods }, opened, socket.remoteAddress ?? '')),
      },
    }),
  });
}

function bodyLimit<Context>({ maxBody }: ServerOptions<Context>): number {
  return maxBody ?? 5 * 1024 * 1024;
}

async function handle<Context>(
  options: ServerOptions<Context>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { envelope = STANDARD_ENVELOPE } = options;
  if (options.route?.(request, response)) return;
  if (!options.http) return end(response, 404, 'no HTTP here\n');
  if (request.method === 'GET') return end(response, envelope.get.status, envelope.get.body);
  if (request.method !== 'POST') return end(response, 405, 'method not allowed\n');
  if (!isJson(request)) return end(response, 415, 'expected content type application/json\n');
  const maxBody = bodyLimit(options);
  const body = await readBody(request, maxBody);
  if (body === undefined) {
    const error = envelope.bodyTooLarge?.(maxBody);
    const text = error === undefined ? `request body over ${maxBody} bytes\n` : failureText(null, error);
    return end(response, 413, text, { connection: 'close', ...(error && JSON_TYPE) });
  }
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
  const answer = await dispatch(options, body.toString('utf8'), {
    transport: 'http',
    from: request.socket.remoteAddress ?? '',
    closed: closed.signal,
  });
  if (answer === undefined) return end(response, 200);
  end(response, 200, answer, JSON_TYPE);
}

const JSON_TYPE = { 'content-type': 'application/json' };
