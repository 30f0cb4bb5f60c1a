import { option } from '../../../system/program/options.ts';
import { ALT_DA } from '../../da/options.ts';

/** Options of alternative DA (interface, section 4.4; op-alt-da: `CLIFlags`). */
export const altDaOptions = {
  altDaEnabled: {
    ...ALT_DA.enabled,
    help: 'read the data behind the commitments of a rollup with alt_da',
  },
  altDaServer: ALT_DA.server,
  altDaService: {
    ...ALT_DA.service,
    help: 'commitments are made by the DA server; must agree with the kind in rollup.json',
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
