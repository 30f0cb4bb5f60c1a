import type { HostOriginPolicy } from '../../rpc/server/host-origin.ts';
import { option } from '../../system/program/options.ts';

/**
 * Host names and page origins that every port of a program accepts besides loopback.
 * Spelled as in geth (`HTTPVirtualHostsFlag`, `HTTPCORSDomainFlag`). Counterpart in op-service: `WithVHosts`,
 * `WithCORSHosts`.
 */
export const HOST_ORIGIN_OPTIONS = {
  virtualHosts: {
    name: 'http.vhosts',
    env: 'HTTP_VHOSTS',
    help: 'names in a Host header that every port of this program serves beside loopback names, by commas; *: all',
    type: option.list,
    default: [],
  },
  corsOrigins: {
    name: 'http.corsdomain',
    env: 'HTTP_CORSDOMAIN',
    help: 'origins whose pages every port of this program serves beside pages on loopback, by commas; *: all',
    type: option.list,
    default: [],
  },
} as const;

/** Listen address, with the accepted hosts and origins. */
export interface ListenAddress extends Required<HostOriginPolicy> {
  readonly host: string;
  /** 0: any. */
  readonly port: number;
}

/** Returns the host and origin policy of a program's options. */
export function hostOriginPolicy({
  virtualHosts = [],
  corsOrigins = [],
}: HostOriginPolicy): Required<HostOriginPolicy> {
  return { virtualHosts, corsOrigins };
}
