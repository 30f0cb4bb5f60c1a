import type { IncomingMessage, ServerResponse } from 'node:http';
import { jwtJudge } from './jwt.ts';

/** Who may call a server. */
export interface Admission {
  /** With it every request needs a JWT signed by this secret. */
  readonly jwtSecret?: Uint8Array;
  /** Host header names that are served; `*` serves all. Addresses and localhost always are. */
  readonly virtualHosts?: readonly string[];
  /**
   * Origins whose pages may read answers; `*`: all. Pages of this machine always may. Over HTTP others are served without the headers that a browser
   * asks for, and their requests do not get past its preflight; their WebSockets are refused.
   */
  readonly corsOrigins?: readonly string[];
}

/** What lets requests in. */
export interface Gate extends Admission {
  /** Why a header carries no good token; undefined where it does. */
  readonly judge?: ReturnType<typeof jwtJudge>;
}

export function gateOf(admission: Admission): Gate {
  const { jwtSecret } = admission;
  return jwtSecret === undefined ? admission : { ...admission, judge: jwtJudge(jwtSecret) };
}

/** Why a request is not served: a foreign Host (DNS rebinding), a WebSocket of a foreign page, a bad token. */
export function refusal(
  { virtualHosts, corsOrigins, judge }: Gate,
  { headers }: IncomingMessage,
  isUpgrade = false,
): { readonly status: number; readonly reason: string } | undefined {
  if (!servedHost(headers.host, virtualHosts ?? [])) return { status: 403, reason: 'invalid host specified' };
  if (isUpgrade && headers.origin !== undefined && !servedOrigin(headers.origin, corsOrigins ?? []))
    return { status: 403, reason: 'origin not allowed' };
  const problem = judge?.(headers.authorization);
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

/** Tells a browser that its page may read the answer, and send the headers that it asks for (Fetch standard: CORS protocol). */
export function allowOrigin({ corsOrigins }: Admission, { headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'origin, access-control-request-headers');
  if (headers.origin === undefined || !servedOrigin(headers.origin, corsOrigins ?? [])) return;
  response.setHeader('access-control-allow-origin', corsOrigins?.includes('*') ? '*' : headers.origin);
  response.setHeader('access-control-allow-methods', 'POST, GET, OPTIONS');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
  response.setHeader('access-control-max-age', '600');
}
