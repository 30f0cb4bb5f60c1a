import type { IncomingMessage, ServerResponse } from 'node:http';
import { jwtVerifier } from '../jwt.ts';
import { allowedOrigin, type HostOriginPolicy, hostProblem, isLoopbackAddress, originProblem } from './host-origin.ts';

/** Which requests a server accepts. */
export interface AccessOptions extends HostOriginPolicy {
  /** Present: every request needs a JWT signed with this secret. */
  readonly jwtSecret?: Uint8Array;
  /** Called for each request whose token is refused, with the reason. */
  readonly onRefusedToken?: (reason: string) => void;
}

/** A refused request: HTTP status and reason. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/**
 * The checks of every HTTP request and WebSocket handshake before its body is read.
 * geth: `virtualHostHandler`, `newCorsHandler`, `jwtHandler`.
 */
export interface AccessControl {
  /** Returns why a request is refused: its Host, its Origin or its token; undefined if it is accepted. */
  refusal(request: IncomingMessage): Refusal | undefined;
  /**
   * Sets the CORS headers (Fetch standard). Returns true for a preflight request, which it answers.
   * A preflight carries no token.
   */
  answerCors(request: IncomingMessage, response: ServerResponse): boolean;
}

export function accessControl(options: AccessOptions): AccessControl {
  const checkToken = options.jwtSecret && jwtVerifier(options.jwtSecret);
  return {
    refusal({ headers, socket, method }) {
      const beyond = !isLoopbackAddress(socket.localAddress ?? '');
      const foreign = hostProblem(headers.host, options, beyond) ?? originProblem(headers, options);
      if (foreign !== undefined) return { status: 403, reason: foreign };
      const problem = method === 'OPTIONS' ? undefined : checkToken?.(headers.authorization);
      if (problem === undefined) return undefined;
      options.onRefusedToken?.(problem);
      return { status: 401, reason: problem };
    },
    answerCors({ headers, method }, response) {
      response.setHeader('vary', VARY);
      const origin = allowedOrigin(headers, options);
      if (origin !== undefined) response.setHeader('access-control-allow-origin', origin);
      if (method !== 'OPTIONS') return false;
      if (origin !== undefined) {
        response.setHeader('access-control-allow-methods', 'POST, GET, HEAD, OPTIONS');
        response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
        response.setHeader('access-control-max-age', '600');
        if (headers['access-control-request-private-network'] === 'true')
          response.setHeader('access-control-allow-private-network', 'true');
      }
      response.writeHead(204).end();
      return true;
    },
  };
}

/** The request headers that determine the response headers. */
const VARY = [
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'access-control-request-private-network',
].join(', ');
