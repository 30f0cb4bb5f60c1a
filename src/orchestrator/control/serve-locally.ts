import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handlers, openListener, type RunningServer } from '../../rpc/server/listener.ts';
import { EXIT, Failure, systemCode } from '../../system/failure.ts';

/** Answers a request; a rejection ends the connection. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Ports after the first one that are tried if it is taken. */
const NEXT = 50;
/** Connections and requests at a time. */
const MAX_CONNECTIONS = 64;

/**
 * Listens on loopback, at the exact port or at the first free one. Host and Origin are checked before a request is
 * answered.
 * @throws Failure `port` (exit 4)
 */
export async function serveLocally(
  { exact, first }: { readonly exact: number | undefined; readonly first: number },
  request: Answer,
): Promise<RunningServer> {
  const handlers: Handlers = { request };
  const options = { host: '127.0.0.1', maxConnections: MAX_CONNECTIONS };
  const last = exact ?? first + NEXT;
  for (let port = exact ?? first; ; port++) {
    try {
      return await openListener({ ...options, port }, handlers);
    } catch (error) {
      if (port < last && systemCode(error) === 'EADDRINUSE') continue;
      const hint = 'give another one with --port, or 0 for any free one';
      throw new Failure('port', `cannot listen on 127.0.0.1:${port}`, { exit: EXIT.lacking, hint, cause: error });
    }
  }
}
