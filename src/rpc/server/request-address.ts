import type { IncomingMessage } from 'node:http';

/**
 * Parses the address of a request. Two slashes at its beginning are part of the path, as in Go's net/http.
 * Undefined if it is no address.
 */
export function requestAddress({ url = '/' }: Pick<IncomingMessage, 'url'>): URL | undefined {
  const address = url.startsWith('/') ? `http://server${url}` : url;
  return URL.canParse(address) ? new URL(address) : undefined;
}
