import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowedOrigin, type HostOriginPolicy, hostProblem, isLoopbackAddress, originProblem } from './host-origin.ts';
import { jwtVerifier } from './jwt.ts';

/** Who may call a server. */
export interface AccessOptions extends HostOriginPolicy {
  /** With it every request needs a JWT signed by this secret. */
  readonly jwtSecret?: Uint8Array;
}

/** Why a request is not served, as an HTTP status and words. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** The checks that every request passes, HTTP or WebSocket, before its body is read. */
export interface AccessControl {
  /** Why a request is not served: a foreign name, a foreign page, a bad token. */
  refusal(request: IncomingMessage): Refusal | undefined;
  /**
   * Sets what tells a browser that its page may read the answer (Fetch standard: CORS protocol). True where the request was nothing but the
   * question for that, a preflight, and is answered. A preflight carries no token.
   */
  answerCors(request: IncomingMessage, response: ServerResponse): boolean;
}

export function accessControl(admission: AccessOptions): AccessControl {
  const judge = admission.jwtSecret && jwtVerifier(admission.jwtSecret);
  return {
    refusal({ headers, socket, method }) {
      const beyond = !isLoopbackAddress(socket.localAddress ?? '');
      const foreign = hostProblem(headers.host, admission, beyond) ?? originProblem(headers, admission);
      if (foreign !== undefined) return { status: 403, reason: foreign };
      const problem = method === 'OPTIONS' ? undefined : judge?.(headers.authorization);
      return problem === undefined ? undefined : { status: 401, reason: problem };
    },
    answerCors({ headers, method }, response) {
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
