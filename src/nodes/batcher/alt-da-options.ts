import { option } from '../../system/options.ts';

/** Batches on a DA server, with what stands for them on L1. */
export const ALT_DA_OPTIONS = {
  altDaEnabled: {
    name: 'altda.enabled',
    env: 'ALTDA_ENABLED',
    help: 'Put batches on a DA server and commitments to them on L1, for a rollup with alt_da',
    type: option.boolean,
    default: false,
  },
  altDaServer: {
    name: 'altda.da-server',
    env: 'ALTDA_DA_SERVER',
    help: 'HTTP address of the DA server',
    type: option.url('http:', 'https:'),
  },
  altDaService: {
    name: 'altda.da-service',
    env: 'ALTDA_DA_SERVICE',
    help: 'The DA server makes the commitments; absent: they are keccak hashes',
    type: option.boolean,
    default: false,
  },
  altDaPutTimeout: {
    name: 'altda.put-timeout',
    env: 'ALTDA_PUT_TIMEOUT',
    help: 'Time that the DA server may take; 0: any',
    type: option.duration,
    default: 0,
    defaultText: '0s',
  },
  altDaRequests: {
    name: 'altda.max-concurrent-da-requests',
    env: 'ALTDA_MAX_CONCURRENT_DA_REQUESTS',
    help: 'Requests to the DA server at once',
    type: option.natural,
    default: 1,
  },
} as const;
