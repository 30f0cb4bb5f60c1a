import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { httpClient } from '../client/http-client.ts';
import { httpPost } from '../client/http-rest.ts';
import { readOutcome } from '../client/outcome.ts';
import { RPC_CODE, RpcError } from '../error.ts';
import { http, https } from '../http.ts';
import { failureText } from '../server/dispatch.ts';
import { end } from '../server/listener.ts';
import type { GatewayTarget } from './methods.ts';
import { isRepeatable } from './repeatable.ts';

/** The target of a gateway. */
export interface Upstream {
  readonly name: string;
  /** Returns what calls the target with the token of a caller. */
  on(request: IncomingMessage): GatewayTarget;
  /** Forwards a request and streams its answer. Resolves when the answer has ended or the caller has disconnected. */
  forward(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void>;
  /** Opens a WebSocket to the target with the token of a caller. */
  connect(request: IncomingMessage): WebSocket;
  close(): void;
}

/** Timeouts (ms) of the gateway's own requests and of a WebSocket handshake. */
const OWN_REQUEST_TIMEOUT_MS = 60_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Bytes of an answer to the gateway's own requests, and of a WebSocket message. */
const MAX_ANSWER = 256 * 1024 * 1024;

/** Opens the way to a server. `isRead`: methods that change nothing, so that their requests can be sent again. */
export function upstream(url: string, name: string, isRead: (method: string) => boolean): Upstream {
  const base = new URL(url.replace(/^ws/, 'http'));
  const { Agent, request: send } = base.protocol === 'https:' ? https() : http();
  const agent = new Agent({ keepAlive: true });
  const target = { protocol: base.protocol, hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port, agent };
  const root = base.pathname.replace(/\/$/, '');
  const client = httpClient({ url: base.href, timeoutMs: OWN_REQUEST_TIMEOUT_MS });

  function exchange(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const path = root + (request.url ?? '/');
    const sent = send({ ...target, method: request.method, path, headers: requestHeaders(request.headers, body) });
    const abandon = () => sent.destroy();
    response.once('close', abandon);
    sent.once('response', (answer) => passBack(answer, response));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      response.off('close', abandon);
      // An answer that has begun ends the response by its own error.
      if (response.destroyed || response.headersSent) return;
      // The server may have closed the kept connection before the request reached it, or after it was executed.
      // Each such failure takes one connection out of the pool, and a new connection never counts as reused.
      if (sent.reusedSocket && error.code === 'ECONNRESET' && isRepeatable(body, isRead))
        exchange(request, body, response);
      else end(response, 502, failureText(null, new RpcError(RPC_CODE.server, unanswered(name, error))), JSON_TYPE);
    });
    sent.end(body);
  }

  return {
    name,
    forward: (request, body, response) =>
      new Promise((resolve) => {
        if (response.destroyed) return resolve();
        response.once('close', resolve);
        exchange(request, body, response);
      }),
    on({ headers }) {
      const ask = async (request: string) => {
        const limits = { timeoutMs: OWN_REQUEST_TIMEOUT_MS, maxBytes: MAX_ANSWER };
        const sent = { ...limits, headers: { ...JSON_TYPE, ...tokenOf(headers) } };
        return (await httpPost(base.href, Buffer.from(request), sent)).text;
      };
      return {
        ask,
        async call(method, params) {
          if (headers.authorization === undefined) return client.call(method, params);
          const outcome = readOutcome(base.href, JSON.parse(await ask(requestText(method, params))));
          if (!outcome.ok) throw outcome.error;
          return outcome.result;
        },
      };
    },
    connect: ({ headers }) =>
      new WebSocket(base.href.replace(/^http/, 'ws'), {
        headers: tokenOf(headers),
        perMessageDeflate: false,
        skipUTF8Validation: true,
        maxPayload: MAX_ANSWER,
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      }),
    close() {
      agent.destroy();
      client.close();
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns the header that carries the token of a caller: an Engine API asks for it. */
function tokenOf({ authorization }: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { authorization };
}

function requestText(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Describes why a caller gets no answer. */
export function silence(name: string, { code, message }: NodeJS.ErrnoException): string {
  return `${name} does not answer (${code ?? message}): it is starting, or has ended; \`devnet status\` tells`;
}

/** Says of a request over HTTP whether it may have been executed: a connection that was refused carried none. */
function unanswered(name: string, error: NodeJS.ErrnoException): string {
  const doubt = error.code === 'ECONNREFUSED' ? '' : '. The request may have been executed';
  return `${silence(name, error)}${doubt}`;
}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/;
/** Headers that the gateway consumes: it has checked the sender, and sets the CORS headers itself. */
const OWN_REQUEST_HEADER = /^(host|origin|referer|content-length|sec-.*)$/;
const OWN_ANSWER_HEADER = /^(access-control-.*|vary)$/;

function requestHeaders(headers: IncomingHttpHeaders, body: Buffer): IncomingHttpHeaders {
  const endToEnd = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name) && !OWN_REQUEST_HEADER.test(name));
  return { ...Object.fromEntries(endToEnd), ...(body.length > 0 && { 'content-length': String(body.length) }) };
}

/** Streams an answer to the caller. A short one is sent in one piece with its header. */
function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const endToEnd = Object.entries(answer.headers).filter(
    ([name]) => !HOP_BY_HOP.test(name) && !OWN_ANSWER_HEADER.test(name),
  );
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(endToEnd));
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}
