import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import { type Answer, ApiError, type BeaconState } from './api-state.ts';
import { ROUTES } from './routes.ts';

/**
 * Serves the beacon API; errors are `{code, message}`.
 * Counterparts: `BeaconRestApiServer` of lodestar, `FakeBeacon` of op-e2e.
 */
export function beaconApi(
  state: BeaconState,
  log: Logger,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    void answer(state, log, request).then(({ status, body }) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
    return true;
  };
}

async function answer(state: BeaconState, log: Logger, request: IncomingMessage): Promise<Answer> {
  try {
    return await route(state, request);
  } catch (error) {
    if (!(error instanceof ApiError)) log.error('Cannot answer a beacon request', { url: request.url, error });
    const status = error instanceof ApiError ? error.status : 500;
    return { status, body: { code: status, message: messageOf(error) } };
  }
}

async function route(state: BeaconState, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = target(request.url ?? '/');
  const path = pathname.replace(/\/+$/, '');
  for (const { path: pattern, handle } of ROUTES) {
    const parts = match(pattern, path);
    if (parts === undefined) continue;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new ApiError(405, `METHOD_NOT_ALLOWED: ${pattern} takes GET, found ${request.method}`);
    return handle(state, parts, searchParams);
  }
  throw new ApiError(404, `NOT_FOUND: no endpoint ${path || '/'}`);
}

function target(url: string): URL {
  try {
    return new URL(url, 'http://l1-beacon');
  } catch {
    throw new ApiError(400, 'BAD_REQUEST: malformed URL');
  }
}

/** Returns the path parts that a pattern names, undefined if the path differs. */
function match(pattern: string, path: string): readonly string[] | undefined {
  const segments = pattern.split('/');
  const values = path.split('/');
  if (segments.length !== values.length) return undefined;
  const parts: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const value = values[at];
    if (value !== undefined && segment.startsWith('{')) parts.push(value);
    else if (segment !== value) return undefined;
  }
  return parts;
}
