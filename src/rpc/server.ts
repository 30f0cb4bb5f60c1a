import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type DispatchOptions, dispatch } from './dispatch.ts';
import { http } from './http.ts';
import { jwtJudge } from './jwt.ts';
import { type SocketOptions, serveSocket } from './websocket.ts';

export interface ServerOptions<Context> extends SocketOptions<Context> {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly http: boolean;
  readonly websocket: boolean;
  /** Methods of WebSocket connections, where they differ from HTTP's. */
  readonly websocketMethods?: DispatchOptions<Context>['methods'];
  /** With it every request needs a JWT signed by this secret. */
  readonly jwtSecret?: Uint8Array;
  /** Host header names that are served; `*` serves all. Addresses and localhost always are. */
  readonly virtualHosts?: readonly string[];
  /** Origins that browsers may call from; `*` allows all; none: no CORS headers, and requests with a foreign Origin are refused. */
  readonly corsOrigins?: readonly string[];
  /** Bytes of an HTTP body, and of a WebSocket message (default: as of a body, at least 15 MB). */
  readonly maxBody?: number;
  readonly maxMessage?: number;
  /** Connections at once; further ones are closed. */
  readonly maxConnections?: number;
  /** Other paths than the RPC's; true where it took the request. */
  readonly route?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface RunningServer {
  readonly port: number;
  /** Connections now open. */
  connections(): number;
  close(): Promise<void>;
}

/** Serves JSON-RPC over HTTP and WebSocket on one port. @throws the listen error (EADDRINUSE, EACCES) */
export async function serve<Context>(options: ServerOptions<Context>): Promise<RunningServer> {
  const maxBody = options.maxBody ?? 5 * 1024 * 1024;
  const gate: Gate = options.jwtSecret ? { ...options, judge: jwtJudge(options.jwtSecret) } : options;
  const server: Server = http.createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    void handle(options, gate, maxBody, request, response).catch(() => response.destroy());
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  if (Number.isFinite(options.maxConnections ?? Number.POSITIVE_INFINITY))
    server.maxConnections = options.maxConnections!;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessage ?? Math.max(maxBody, 15 * 1024 * 1024),
    perMessageDeflate: false,
  });
  server.on('upgrade', (request, socket, head) => {
    const refused = !options.websocket ? { status: 404, reason: 'no WebSocket here' } : refusal(gate, request);
    if (refused) {
      socket.end(
        `HTTP/1.1 ${refused.status} ${refused.reason.replace(/[^\x20-\x7e]/g, ' ')}\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) =>
      serveSocket({ ...options, methods: options.websocketMethods ?? options.methods }, connection),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
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

async function handle<Context>(
  options: ServerOptions<Context>,
  gate: Gate,
  maxBody: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = refusal(gate, request);
  if (refused) return end(response, refused.status, refused.reason + '\n');
  allowOrigin(options, request, response);
  if (request.method === 'OPTIONS') return end(response, 204);
  if (options.route?.(request, response)) return;
  if (!options.http) return end(response, 404, 'no HTTP here\n');
  if (request.method !== 'POST') return end(response, request.method === 'GET' ? 200 : 405);
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/(json|json-rpc|jsonrequest)\b/i.test(type))
    return end(response, 415, 'expected content type application/json\n');
  const body = await readBody(request, maxBody);
  if (body === undefined) return end(response, 413, `request body over ${maxBody} bytes\n`, { connection: 'close' });
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
  const answer = await dispatch(options, body, { transport: 'http', closed: closed.signal });
  if (answer === undefined) return end(response, 200);
  end(response, 200, answer, { 'content-type': 'application/json' });
}

/** What lets requests in. */
interface Gate extends Pick<ServerOptions<never>, 'virtualHosts' | 'corsOrigins'> {
  readonly judge?: ReturnType<typeof jwtJudge>;
}

/** Why a request is not served: a foreign Host (DNS rebinding), a foreign Origin, a bad token. */
function refusal(options: Gate, request: IncomingMessage): { status: number; reason: string } | undefined {
  if (!servedHost(request.headers.host, options.virtualHosts ?? []))
    return { status: 403, reason: 'invalid host specified' };
  const origin = request.headers.origin;
  if (origin !== undefined && !servedOrigin(origin, options.corsOrigins ?? []))
    return { status: 403, reason: 'origin not allowed' };
  const problem = options.judge?.(request.headers.authorization);
  return problem === undefined ? undefined : { status: 401, reason: problem };
}

function servedHost(host: string | undefined, virtualHosts: readonly string[]): boolean {
  if (host === undefined || virtualHosts.includes('*')) return true;
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost') || /^[\d.]+$/.test(name) || name.includes(':')) return true;
  return virtualHosts.some((allowed) => allowed.toLowerCase() === name);
}

function servedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes('*') || allowed.includes(origin)) return true;
  return URL.canParse(origin) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(origin).hostname);
}

function allowOrigin<Context>(
  options: ServerOptions<Context>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', options.corsOrigins?.includes('*') ? '*' : request.headers.origin);
  response.setHeader('access-control-allow-methods', 'POST, GET, OPTIONS');
  response.setHeader('access-control-allow-headers', 'content-type');
  response.setHeader('access-control-max-age', '600');
  response.setHeader('vary', 'origin');
}

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
