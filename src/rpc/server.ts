import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { listenTcp } from '../system/listen.ts';
import { type DispatchOptions, dispatch, failureText } from './dispatch.ts';
import { STANDARD_ENVELOPE } from './envelope.ts';
import { http } from './http.ts';
import { type Admission, allowOrigin, type Gate, gateOf, refusal } from './origin.ts';
import { type SocketOptions, serveSocket } from './websocket.ts';

export interface ServerOptions<Context> extends SocketOptions<Context>, Admission {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly http: boolean;
  readonly websocket: boolean;
  /** Methods of WebSocket connections, where they differ from HTTP's. */
  readonly websocketMethods?: DispatchOptions<Context>['methods'];
  /** Bytes of an HTTP body. */
  readonly maxBody?: number;
  /** Open WebSockets and HTTP requests under way, at once; further ones are told to come back (429). */
  readonly maxConnections?: number;
  /** Milliseconds that a request's headers, and the whole of it, may take to come (default 10,000 and 30,000). */
  readonly patience?: { readonly headers: number; readonly request: number };
  /** Other paths than the RPC's; true where it took the request. */
  readonly route?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface RunningServer {
  readonly port: number;
  /** Connections now open. */
  connections(): number;
  close(): Promise<void>;
}

/** Connections of any kind at once, also those that never send a request; further ones are closed. */
const MAX_CONNECTIONS = 20_000;
const TOO_MANY = { status: 429, reason: 'Too many connections. Please try again later.' };

/** Serves JSON-RPC over HTTP and WebSocket on one port. @throws the listen error (EADDRINUSE, EACCES) */
export async function serve<Context>(options: ServerOptions<Context>): Promise<RunningServer> {
  const maxMessage = options.maxMessage ?? Math.max(bodyLimit(options), 15 * 1024 * 1024);
  const gate = gateOf(options);
  let underWay = 0;
  const isFull = () => underWay + sockets.clients.size >= (options.maxConnections ?? Number.POSITIVE_INFINITY);
  const { headers: headersTimeout, request: requestTimeout } = options.patience ?? { headers: 10_000, request: 30_000 };
  const times = { keepAliveTimeout: 30_000, headersTimeout, requestTimeout };
  const connectionsCheckingInterval = Math.min(5000, headersTimeout);
  const server: Server = http().createServer({ ...times, connectionsCheckingInterval }, (request, response) => {
    if (isFull()) return end(response, TOO_MANY.status, TOO_MANY.reason);
    underWay++;
    response.once('close', () => underWay--);
    void handle(options, gate, request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const sockets = new WebSocketServer({
    noServer: true,
    // What is to be told that its message is too large must be read first.
    maxPayload: options.envelope?.bodyTooLarge === undefined ? maxMessage : 2 * maxMessage,
    perMessageDeflate: false,
  });
  server.on('upgrade', (request, socket, head) => {
    const refused = !options.websocket
      ? { status: 404, reason: 'no WebSocket here' }
      : isFull()
        ? TOO_MANY
        : refusal(gate, request, true);
    if (refused) {
      socket.end(
        `HTTP/1.1 ${refused.status} ${refused.reason.replace(/[^\x20-\x7e]/g, ' ')}\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) =>
      serveSocket(
        { ...options, maxMessage, methods: options.websocketMethods ?? options.methods },
        connection,
        request.socket.remoteAddress ?? '',
      ),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    listenTcp(server, { host: options.host, port: options.port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.clients.size,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function bodyLimit<Context>({ maxBody }: ServerOptions<Context>): number {
  return maxBody ?? 5 * 1024 * 1024;
}

async function handle<Context>(
  options: ServerOptions<Context>,
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { envelope = STANDARD_ENVELOPE } = options;
  const refused = refusal(gate, request);
  if (refused) return end(response, refused.status, refused.reason + '\n');
  allowOrigin(options, request, response);
  if (request.method === 'OPTIONS') return end(response, 204);
  if (options.route?.(request, response)) return;
  if (!options.http) return end(response, 404, 'no HTTP here\n');
  if (request.method === 'GET') return end(response, envelope.get.status, envelope.get.body);
  if (request.method !== 'POST') return end(response, 405, 'method not allowed\n');
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/(json|json-rpc|jsonrequest)\b/i.test(type))
    return end(response, 415, 'expected content type application/json\n');
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
  const answer = await dispatch(options, body, {
    transport: 'http',
    from: request.socket.remoteAddress ?? '',
    closed: closed.signal,
  });
  if (answer === undefined) return end(response, 200);
  end(response, 200, answer, JSON_TYPE);
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** undefined where the body is over the limit; the rest is not read. @throws where the connection ends before it */
function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= limit) parts.push(part);
      else {
        request.pause();
        resolve(undefined);
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', reject);
  });
}

function end(response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
