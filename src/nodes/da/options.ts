import { option } from '../../system/program/options.ts';

/** Alternative-DA options of readers and writers, without their help texts (op-alt-da: `CLIFlags`). */
export const ALT_DA = {
  enabled: { name: 'altda.enabled', env: 'ALTDA_ENABLED', type: option.boolean, default: false },
  server: {
    name: 'altda.da-server',
    env: 'ALTDA_DA_SERVER',
    help: 'HTTP address of the DA server',
    type: option.url('http:', 'https:'),
  },
  service: { name: 'altda.da-service', env: 'ALTDA_DA_SERVICE', type: option.boolean, default: false },
} as const;
