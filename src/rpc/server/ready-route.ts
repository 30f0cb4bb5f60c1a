import type { IncomingMessage, ServerResponse } from 'node:http';

const PATH = /^\/readyz\/?(\?|$)/;

/**
 * Serves `GET /readyz`: 200 while the program is ready, 503 with the reason while it is not. Returns true if it took
 * the request. `unready`: why the program is not ready; undefined: it is.
 */
export function readyRoute(
  unready: () => string | undefined = () => undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return ({ method, url }, response) => {
    if (!PATH.test(url ?? '') || (method !== 'GET' && method !== 'HEAD')) return false;
    const reason = unready();
    const text = `${reason ?? 'ready'}\n`;
    response.writeHead(reason === undefined ? 200 : 503, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    });
    response.end(method === 'HEAD' ? undefined : text);
    return true;
  };
}
