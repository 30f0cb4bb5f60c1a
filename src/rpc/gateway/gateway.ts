import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  connectionServer,
  end,
  type Handlers,
  isJson,
  openListener,
  type RunningServer,
  readBody,
} from '../server/listener.ts';
import { answerOwn } from './methods.ts';
import { type GatewayOptions, openRelay } from './relay.ts';
import { type Upstream, upstream } from './upstream.ts';

/**
 * Serves a port in front of a server that checks neither Host nor Origin. @throws the listen error (EADDRINUSE, EACCES)
 */
export async function serveGateway(options: GatewayOptions): Promise<RunningServer> {
  const behind = upstream(options.target, options.targetName, options.isRead);
  const listener = await openListener(options, handlersOf(options, behind));
  return {
    ...listener,
    async close() {
      await listener.close();
      behind.close();
    },
  };
}

/** Options of a gateway whose connections another listener accepts and ends. */
export type InterceptorOptions = Omit<GatewayOptions, 'host' | 'port'>;

/** Creates a gateway for connections that another listener accepts and ends. */
export function interceptor(options: InterceptorOptions): {
  readonly accept: (socket: Socket) => void;
  readonly close: () => void;
} {
  const behind = upstream(options.target, options.targetName, options.isRead);
  return { accept: connectionServer(options, handlersOf(options, behind)), close: () => behind.close() };
}

function handlersOf(options: InterceptorOptions, behind: Upstream): Handlers {
  const memory: BodyMemory = { bytes: 0 };
  return {
    request: (request, response) => handle(options, behind, memory, request, response),
    upgrade: { maxPayload: options.maxBody, open: openRelay(behind, options) },
  };
}

interface BodyMemory {
  bytes: number;
}

async function handle(
  { methods, waiting, maxBody, maxHeld }: InterceptorOptions,
  behind: Upstream,
  memory: BodyMemory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const size = sizeOf(request, maxBody);
  if (memory.bytes + size > maxHeld)
    return end(response, 503, 'too many large requests at once: send it again later\n', CLOSE);
  memory.bytes += size;
  try {
    const body = await readBody(request, maxBody);
    if (body === undefined) return end(response, 413, `request body over ${maxBody} bytes\n`, CLOSE);
    await waiting?.();
    // What is not JSON by its type the server behind refuses.
    const ownAnswer = isJson(request) ? answerOwn(methods, body, behind.on(request)) : undefined;
    if (ownAnswer === undefined) return await behind.forward(request, body, response);
    const text = await ownAnswer;
    if (text === '') end(response, 204);
    else end(response, 200, text, { 'content-type': 'application/json' });
  } finally {
    memory.bytes -= size;
  }
}

const CLOSE = { connection: 'close' };

function sizeOf({ headers }: IncomingMessage, maxBody: number): number {
  const length = headers['content-length'];
  if (length !== undefined) return Math.min(Number(length), maxBody);
  return headers['transfer-encoding'] === undefined ? 0 : maxBody;
}
