import { option } from '../../../system/program/options.ts';
import { ALT_DA } from '../../da/options.ts';

/** Options of batches on a DA server, with commitments on L1 (op-alt-da: `CLIConfig`). */
export const ALT_DA_OPTIONS = {
  altDaEnabled: {
    ...ALT_DA.enabled,
    help: 'Put batches on a DA server and commitments to them on L1, for a rollup with alt_da',
  },
  altDaServer: ALT_DA.server,
  altDaService: {
    ...ALT_DA.service,
    help: 'The DA server makes the commitments; absent: they are keccak hashes',
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
