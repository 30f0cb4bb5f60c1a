import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenTcp } from '../../system/net/listen.ts';
import { skewedNow } from '../../system/time/skew.ts';
import { http } from '../http.ts';
import { type AccessOptions, accessControl, type Refusal } from './access-control.ts';
import type { ResponseText } from './json-text.ts';
import { requestAddress } from './request-address.ts';

export interface ListenerOptions extends AccessOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Concurrent WebSockets and HTTP requests; more are refused (429). */
  readonly maxConnections?: number;
  /** Time limits (ms) of a request's headers and of the whole request (default 10,000 and 30,000). */
  readonly patience?: { readonly headers: number; readonly request: number };
}

/** Handlers of the accepted requests. */
export interface Handlers {
  /** A rejection ends the connection. */
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Absent: no WebSocket is served. */
  readonly upgrade?: {
    /** Bytes of a message. */
    readonly maxPayload: number;
    /** `accept` completes the handshake; `refuse` answers with an HTTP status. */
    open(request: IncomingMessage, accept: (opened: (socket: WebSocket) => void) => void, refuse: Refuse): void;
  };
}

export type Refuse = (refusal: Refusal) => void;

export interface RunningServer {
  readonly port: number;
  /** Connections now open. */
  connections(): number;
  close(): Promise<void>;
}

/** Maximum number of connections, also of those without a request. */
const MAX_CONNECTIONS = 20_000;
const TOO_MANY: Refusal = { status: 429, reason: 'Too many connections. Please try again later.' };
const MALFORMED: Refusal = { status: 400, reason: 'malformed address' };
const NO_SOCKETS: Refusal = { status: 404, reason: 'no WebSocket here' };

/**
 * Listens for HTTP and WebSocket on one port and passes accepted requests to the handlers. @throws the listen error
 * (EADDRINUSE, EACCES)
 */
export async function openListener(options: ListenerOptions, handlers: Handlers): Promise<RunningServer> {
  const { server, sockets } = httpServer(options, handlers);
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

/** Creates what serves the connections that another listener has accepted, and that it ends. */
export function connectionServer(options: Omit<ListenerOptions, 'host' | 'port'>, handlers: Handlers) {
  const { server } = httpServer(options, handlers);
  return (socket: Socket) => void server.emit('connection', socket);
}

function httpServer(options: Omit<ListenerOptions, 'host' | 'port'>, handlers: Handlers) {
  const access = accessControl(options);
  const { request: handle, upgrade } = handlers;
  let underWay = 0;
  const isFull = () => underWay + sockets.clients.size >= (options.maxConnections ?? Number.POSITIVE_INFINITY);
  const { headers: headersTimeout, request: requestTimeout } = options.patience ?? { headers: 10_000, request: 30_000 };
  const times = { keepAliveTimeout: 30_000, headersTimeout, requestTimeout };
  const connectionsCheckingInterval = Math.min(5000, headersTimeout);
  const server: Server = http().createServer({ ...times, connectionsCheckingInterval }, (request, response) => {
    if (isFull()) return end(response, TOO_MANY.status, TOO_MANY.reason);
    underWay++;
    response.once('close', () => underWay--);
    const refused = access.refusal(request);
    if (refused?.status !== 403 && access.answerCors(request, response)) return;
    // The client of a refused token compares the clocks.
    const date = { date: new Date(skewedNow()).toUTCString() };
    if (refused) return end(response, refused.status, `${refused.reason}\n`, date);
    if (requestAddress(request) === undefined) return end(response, 400, `${MALFORMED.reason}\n`);
    void handle(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: upgrade?.maxPayload ?? 0,
    perMessageDeflate: false,
  });
  server.on('upgrade', (request, socket, head) => {
    // Until a WebSocket has the connection, the error of a caller that leaves would end the process.
    socket.on('error', () => socket.destroy());
    const refuse: Refuse = (refusal) => refuseUpgrade(socket, refusal);
    if (upgrade === undefined) return refuse(NO_SOCKETS);
    const refused = isFull() ? TOO_MANY : access.refusal(request);
    if (refused) return refuse(refused);
    if (requestAddress(request) === undefined) return refuse(MALFORMED);
    upgrade.open(request, (opened) => sockets.handleUpgrade(request, socket, head, opened), refuse);
  });
  return { server, sockets };
}

function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  const body = `${reason}\n`;
  const words = http().STATUS_CODES[status] ?? 'refused';
  const type = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}`;
  const date = new Date(skewedNow()).toUTCString();
  const head = `HTTP/1.1 ${status} ${words}\r\nDate: ${date}\r\n${type}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}

/** Ends a response with a text, which may come in parts. */
export function end(
  response: ServerResponse,
  status: number,
  body: ResponseText = '',
  headers: Record<string, string> = {},
): void {
  const parts = typeof body === 'string' ? [body] : body;
  let length = 0;
  for (const part of parts) length += Buffer.byteLength(part);
  response.writeHead(status, { ...headers, 'content-length': length });
  for (const part of parts.slice(0, -1)) response.write(part);
  response.end(parts.at(-1));
}

/** Whether a request says that its body is JSON. A page can send other types to a foreign server without asking it. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(json|json-rpc|jsonrequest)\b/i.test(headers['content-type'] ?? '');
}

/** Reads a body; undefined if it exceeds the limit. The rest is not read. @throws if the connection ends first */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
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
    request.on('end', () => {
      const [first, ...rest] = parts;
      resolve(first !== undefined && rest.length === 0 ? first : Buffer.concat(parts));
    });
    request.on('error', reject);
  });
}
