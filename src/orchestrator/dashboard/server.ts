import type { IncomingMessage, ServerResponse } from 'node:http';
import { end, type RunningServer, readBody } from '../../rpc/server/listener.ts';
import { requestAddress } from '../../rpc/server/request-address.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { serveLocally } from '../control/serve-locally.ts';
import { failureWords } from './failure-words.ts';
import type { Feed } from './feed.ts';
import type { Message } from './picture-type.ts';
import { carries } from './token.ts';

/** Port of the dashboard if it is free. */
const PREFERRED_PORT = 9500;
/** Pages that are open at a time. */
const MAX_STREAMS = 16;
/** Bytes that a page may leave unread before its stream is closed. */
const MAX_UNREAD = 4 * 1024 * 1024;
/** Bytes of a request for an action. */
const MAX_BODY = 16 * 1024;
/** Reads of a network at a time. */
const MAX_READS = 16;

/** A file of the page. */
export interface Asset {
  readonly type: string;
  readonly content: string;
}

export interface DashboardIo {
  /** Returns the token of the devnet that is shown. */
  token(): string;
  /** Files of the page by path. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly feed: Feed;
  /** Hides the secrets of the network in a text. */
  hide(text: string): string;
  /** Reads a view. @throws Failure */
  read(view: string, parameters: URLSearchParams): Promise<unknown>;
  /** Changes the network and returns what it did. @throws Failure */
  act(action: unknown): Promise<string>;
}

/** No script, style or address but the page's own; no frame around it. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Serves the page and its interface on loopback. @throws Failure `port` (exit 4) */
export function serveDashboard(port: number | undefined, io: DashboardIo): Promise<RunningServer> {
  let streams = 0;
  let reads = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Pages of other ports of loopback reach a node, but not this one.
    response.removeHeader('access-control-allow-origin');
    if (!isOwnPage(request)) return text(response, 403, 'origin not allowed: expected the dashboard itself');
    const url = requestAddress(request);
    if (url === undefined) return text(response, 400, 'malformed address');
    if (request.method === 'POST') {
      if (url.pathname !== '/api/act') return text(response, 404, 'unknown address');
      return act(request, response);
    }
    if (request.method !== 'GET') return text(response, 405, 'expected GET, or POST to /api/act');
    if (url.pathname === '/') io.feed.prepare();
    const asset = io.assets.get(url.pathname);
    if (asset !== undefined) return end(response, 200, asset.content, { ...HEADERS, 'content-type': asset.type });
    if (url.pathname === '/api/stream') return stream(response);
    const view = /^\/api\/read\/([a-z]+)$/.exec(url.pathname)?.[1];
    if (view === undefined) return text(response, 404, 'unknown address');
    if (reads >= MAX_READS) return text(response, 429, 'too many requests at a time');
    reads += 1;
    try {
      answer(response, 200, await io.read(view, url.searchParams));
    } catch (error) {
      answer(response, statusOf(error, 502), { error: failureWords(error) });
    } finally {
      reads -= 1;
    }
  }

  async function act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!carries(request.headers.authorization, io.token()))
      return answer(response, 401, { error: "wrong token: expected that of dashboard.token in the devnet's folder" });
    const body = await readBody(request, MAX_BODY);
    if (body === undefined) return answer(response, 413, { error: `expected at most ${MAX_BODY} bytes` });
    try {
      answer(response, 200, { done: await io.act(JSON.parse(body.toString('utf8'))) });
    } catch (error) {
      answer(response, statusOf(error, 400), { error: failureWords(error) });
    }
  }

  function stream(response: ServerResponse): void {
    if (streams >= MAX_STREAMS) {
      text(response, 429, `expected at most ${MAX_STREAMS} open pages`);
      return;
    }
    streams += 1;
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const send = (message: Message) => {
      if (response.writableLength > MAX_UNREAD) response.destroy();
      else response.write(`data: ${io.hide(JSON.stringify(message))}\n\n`);
    };
    const leave = io.feed.follow(send);
    response.once('close', () => {
      streams -= 1;
      leave();
    });
  }

  function answer(response: ServerResponse, status: number, value: unknown): void {
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    end(response, status, io.hide(JSON.stringify(value)), headers);
  }

  return serveLocally({ exact: port, first: PREFERRED_PORT }, handle);
}

/** Returns whether a request comes from a page of this server, or from no page. */
function isOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-site' || (site === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate')) return false;
  return headers.origin === undefined || headers.origin === `http://${headers.host ?? ''}`;
}

/** 410: the devnet is gone for good. */
function statusOf(error: unknown, other: number): number {
  if (!(error instanceof Failure)) return other;
  if (error.code === 'ended') return 410;
  return error.exit === EXIT.usage ? 400 : other;
}

function text(response: ServerResponse, status: number, reason: string): void {
  end(response, status, `${reason}\n`, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
}
