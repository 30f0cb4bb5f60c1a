import { option } from '../../../system/options.ts';

/** Data that lies elsewhere than on L1 (interface, section 4.4): how a rollup node reads it. */
export const altDaOptions = {
  altDaEnabled: {
    name: 'altda.enabled',
    env: 'ALTDA_ENABLED',
    help: 'read the data behind the commitments of a rollup with alt_da',
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
    help: 'commitments are made by the DA server; must agree with the kind in rollup.json',
    type: option.boolean,
    default: false,
  },
  altDaGetTimeout: {
    name: 'altda.get-timeout',
    env: 'ALTDA_GET_TIMEOUT',
    help: 'wait this long for the DA server; 0: without end',
    type: option.duration,
    default: 0,
    defaultText: '0s',
  },
  altDaVerify: {
    name: 'altda.verify-on-read',
    env: 'ALTDA_VERIFY_ON_READ',
    help: 'hold data against its keccak commitment',
    type: option.boolean,
    default: true,
  },
} as const;
