import type { IncomingMessage, ServerResponse } from 'node:http';
import { jwtJudge } from './jwt.ts';
import { allowedOrigin, hostProblem, isLoopbackAddress, pageProblem, type ServedNames } from './origin.ts';

/** Who may call a server. */
export interface Admission extends ServedNames {
  /** With it every request needs a JWT signed by this secret. */
  readonly jwtSecret?: Uint8Array;
}

/** Why a request is not served, as an HTTP status and words. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** The checks that every request passes, HTTP or WebSocket, before its body is read. */
export interface Doorkeeper {
  /** Why a request is not served: a foreign name, a foreign page, a bad token. */
  refusal(request: IncomingMessage): Refusal | undefined;
  /**
   * Sets what tells a browser that its page may read the answer (Fetch standard: CORS protocol). True where the request was nothing but the
   * question for that, a preflight, and is answered. A preflight carries no token.
   */
  greet(request: IncomingMessage, response: ServerResponse): boolean;
}

export function doorkeeper(admission: Admission): Doorkeeper {
  const judge = admission.jwtSecret && jwtJudge(admission.jwtSecret);
  return {
    refusal({ headers, socket, method }) {
      const beyond = !isLoopbackAddress(socket.localAddress ?? '');
      const foreign = hostProblem(headers.host, admission, beyond) ?? pageProblem(headers, admission);
      if (foreign !== undefined) return { status: 403, reason: foreign };
      const problem = method === 'OPTIONS' ? undefined : judge?.(headers.authorization);
      return problem === undefined ? undefined : { status: 401, reason: problem };
    },
    greet({ headers, method }, response) {
      response.setHeader('vary', VARY);
      const origin = allowedOrigin(headers, admission);
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

/** The headers of a request that an answer's headers depend on. */
const VARY = [
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'access-control-request-private-network',
].join(', ');
