import type { IncomingHttpHeaders } from 'node:http';

/** Host names and page origins that are accepted besides loopback. */
export interface HostOriginPolicy {
  /** Names in a Host header, without port; `*`: all. Loopback names are always accepted. */
  readonly virtualHosts?: readonly string[];
  /**
   * Page origins (`https://app.example`, `https://*.app.example`, `app.example`, `null`); `*`: all.
   * Pages on loopback are always accepted.
   */
  readonly corsOrigins?: readonly string[];
}

/**
 * Returns why a Host header is refused; undefined if it is accepted.
 * In DNS rebinding, a page points its own name at loopback. To the browser, the page and this server are then one
 * origin.
 * @param listensBeyond the connection arrived at a non-loopback address. Numeric hosts are then accepted, as in
 * go-ethereum: rebinding needs a name.
 */
export function hostProblem(
  host: string | undefined,
  served: HostOriginPolicy,
  listensBeyond: boolean,
): string | undefined {
  // HTTP/1.0 without the header. Every browser sends it.
  if (host === undefined) return undefined;
  const allowed = served.virtualHosts ?? [];
  if (allowed.includes('*')) return undefined;
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(:\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return `invalid host specified: ${JSON.stringify(host)} is malformed`;
  const isServed =
    isLoopback(name) || (listensBeyond && isAddress(name)) || allowed.some((other) => other.toLowerCase() === name);
  if (isServed) return undefined;
  const loopback = 'localhost, 127.0.0.1, [::1]';
  return `invalid host specified: ${JSON.stringify(host)} is neither loopback (${loopback}) nor allowed by the options`;
}

/** Returns why the page behind a request is refused; undefined if it is accepted, or if there is no page. */
export function originProblem(headers: IncomingHttpHeaders, served: HostOriginPolicy): string | undefined {
  const page = pageOf(headers);
  if (page === undefined || isServedPage(page, served)) return undefined;
  return `origin not allowed: ${JSON.stringify(page)} is neither on loopback nor allowed by the options`;
}

/** Returns the value of Access-Control-Allow-Origin for an accepted page; undefined without a page. */
export function allowedOrigin({ origin }: IncomingHttpHeaders, { corsOrigins }: HostOriginPolicy): string | undefined {
  return origin !== undefined && corsOrigins?.includes('*') ? '*' : origin;
}

/**
 * Returns the origin of the page behind a request.
 * Browsers omit it from the GET of an image, script, frame or link, but report a cross-site page (Fetch Metadata). The
 * referrer then names the page. It can be omitted, but not forged.
 */
function pageOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined) return headers.origin;
  if (headers['sec-fetch-site'] !== 'cross-site') return undefined;
  const { referer = '' } = headers;
  return URL.canParse(referer) ? new URL(referer).origin : 'another site';
}

/** Schemes of browser extensions (wallets). No page can use them, and the user installed the extension. */
const EXTENSIONS = /^(chrome|moz|safari-web)-extension:$/;

/**
 * Tells whether an origin is accepted. `null` is not: every site can make its frames send it (sandbox).
 * Pages of `file:` therefore cannot be told from foreign ones.
 */
function isServedPage(origin: string, { corsOrigins = [] }: HostOriginPolicy): boolean {
  if (corsOrigins.some((allowed) => matches(allowed, origin))) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return EXTENSIONS.test(protocol) || (/^https?:$/.test(protocol) && isLoopback(hostname));
}

/**
 * Matches an allowed origin: `*`, an origin with at most one `*`, or a bare host name, which matches any scheme and
 * port.
 */
function matches(allowed: string, origin: string): boolean {
  const pattern = allowed.toLowerCase().replace(/\/$/, '');
  const actual = origin.toLowerCase();
  if (pattern === '*' || pattern === actual) return true;
  if (!pattern.includes('://') && URL.canParse(actual))
    return [new URL(actual).hostname, new URL(actual).host].includes(pattern);
  const [before = '', after, ...more] = pattern.split('*');
  if (after === undefined || more.length > 0) return false;
  return actual.length >= pattern.length - 1 && actual.startsWith(before) && actual.endsWith(after);
}

/** Tells whether a name always resolves to this machine (RFC 6761), or is a loopback address. */
function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopbackAddress(name);
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.startsWith('[');
}

/** Tells whether an IP address is loopback. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}
