import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Place } from './relay.ts';

/** What a connection by TLS proves and checks. Without `ca` the authorities of this machine count. */
export interface TlsFiles {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Takes any certificate of the other end. */
  readonly skipsVerify?: boolean;
}

/** Opens a connection by TLS. It is destroyed by an error if the other end proves nothing and must. */
export function connectTls({ host, port }: Place, { ca, cert, key, skipsVerify = false }: TlsFiles): TLSSocket {
  // RFC 6066 forbids an address as the server's name. The certificate is checked against `host` then.
  const servername = isIP(host) === 0 ? host : '';
  return connect({ host, port, servername, ca, cert, key, rejectUnauthorized: !skipsVerify });
}
