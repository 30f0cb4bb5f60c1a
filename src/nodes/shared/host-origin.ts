import type { HostOriginPolicy } from '../../rpc/host-origin.ts';
import { option } from '../../system/options.ts';

/**
 * Names and pages served beside loopback, at every port of a program.
 * The execution client has such options for each of its ports.
 */
export const HOST_ORIGIN_OPTIONS = {
  virtualHosts: {
    name: 'http.vhosts',
    env: 'HTTP_VHOSTS',
    help: 'names in a Host header that every port of this program serves beside loopback names, by commas; *: all',
    type: option.list,
    default: [] as string[],
  },
  corsOrigins: {
    name: 'http.corsdomain',
    env: 'HTTP_CORSDOMAIN',
    help: 'origins whose pages every port of this program serves beside pages on loopback, by commas; *: all',
    type: option.list,
    default: [] as string[],
  },
} as const;

/** Listen address of a program, with the names and pages served there. */
export interface ListenAddress extends Required<HostOriginPolicy> {
  readonly host: string;
  /** 0: any. */
  readonly port: number;
}

/** What a program's options say of it. */
export function hostOriginPolicy({
  virtualHosts = [],
  corsOrigins = [],
}: HostOriginPolicy): Required<HostOriginPolicy> {
  return { virtualHosts, corsOrigins };
}
