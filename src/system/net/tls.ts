import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Place } from './relay.ts';

/** What a connection by TLS proves and checks. Without `ca` the authorities of this machine count. */
export interface TlsFiles {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Opens a connection by TLS. It is destroyed by an error if the other end proves nothing. */
export function connectTls({ host, port }: Place, { ca, cert, key }: TlsFiles): TLSSocket {
  // RFC 6066 forbids an address as the server's name. The certificate is checked against `host` then.
  return connect({ host, port, servername: isIP(host) === 0 ? host : '', ca, cert, key });
}
