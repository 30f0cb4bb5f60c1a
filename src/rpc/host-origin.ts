import type { IncomingHttpHeaders } from 'node:http';

/** Which names of a server and which pages are served, beside this machine's own. */
export interface HostOriginPolicy {
  /** Names in a Host header, without port; `*`: all. Loopback names are always served. */
  readonly virtualHosts?: readonly string[];
  /** Origins of pages (`https://app.example`, also `https://*.app.example`, `app.example`, `null`); `*`: all. Pages on loopback are always served. */
  readonly corsOrigins?: readonly string[];
}

/**
 * Why a Host header is not served; undefined where it is. A foreign name that leads here belongs to a page that had its own name point at loopback
 * (DNS rebinding): to the browser, that page and this server are one origin.
 * @param listensBeyond the connection came to an address that is not loopback. Then numeric hosts are served too, as go-ethereum serves them:
 * rebinding needs a name.
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
  return `invalid host specified: ${JSON.stringify(host)} is no name of loopback (localhost, 127.0.0.1, [::1]) and none that the options allow`;
}

/** Why the page that a browser's request comes from is not served; undefined where it is, or where no page is behind the request. */
export function originProblem(headers: IncomingHttpHeaders, served: HostOriginPolicy): string | undefined {
  const page = pageOf(headers);
  if (page === undefined || isServedPage(page, served)) return undefined;
  return `origin not allowed: ${JSON.stringify(page)} is no page on loopback and none that the options allow`;
}

/** What Access-Control-Allow-Origin says to a page that is served; undefined: no page is behind the request. */
export function allowedOrigin({ origin }: IncomingHttpHeaders, { corsOrigins }: HostOriginPolicy): string | undefined {
  return origin !== undefined && corsOrigins?.includes('*') ? '*' : origin;
}

/**
 * The origin of the page behind a request. Browsers leave it out of the GET of an image, a script, a frame or a link, but say whether the page is
 * of another site (Fetch Metadata); then only the referrer tells which, and it cannot be forged, only left out.
 */
function pageOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined) return headers.origin;
  if (headers['sec-fetch-site'] !== 'cross-site') return undefined;
  const { referer = '' } = headers;
  return URL.canParse(referer) ? new URL(referer).origin : 'another site';
}

/** Schemes of browser extensions (wallets): no page can take them on, and the user installed the extension. */
const EXTENSIONS = /^(chrome|moz|safari-web)-extension:$/;

/**
 * `null` is not served: every site can make its frames send it (sandbox), so that pages of `file:` are not told from foreign ones.
 */
function isServedPage(origin: string, { corsOrigins = [] }: HostOriginPolicy): boolean {
  if (corsOrigins.some((allowed) => matches(allowed, origin))) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return EXTENSIONS.test(protocol) || (/^https?:$/.test(protocol) && isLoopback(hostname));
}

/** An allowed origin is `*`, an origin with at most one `*` in it, or a bare host name, which stands for any scheme and port. */
function matches(allowed: string, origin: string): boolean {
  const pattern = allowed.toLowerCase().replace(/\/$/, '');
  const given = origin.toLowerCase();
  if (pattern === '*' || pattern === given) return true;
  if (!pattern.includes('://') && URL.canParse(given))
    return [new URL(given).hostname, new URL(given).host].includes(pattern);
  const [before, after, ...more] = pattern.split('*');
  if (after === undefined || more.length > 0) return false;
  return given.length >= pattern.length - 1 && given.startsWith(before!) && given.endsWith(after);
}

/** A name that leads to this machine whatever a name server says (RFC 6761), or a loopback address. */
function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopbackAddress(name);
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.startsWith('[');
}

/** Whether an IP address of a socket, or in a name, is loopback. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}
