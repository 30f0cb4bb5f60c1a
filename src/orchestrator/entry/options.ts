import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { type OptionValues, option } from '../../system/program/options.ts';

const { logLevel, logFormat, logColor, logPid } = COMMON_OPTIONS;

/** Options of the entry program. Their defaults are the paths in the package's image. */
export const ENTRY_OPTIONS = {
  logLevel,
  logFormat,
  logColor,
  logPid,
  unit: {
    name: 'unit',
    env: 'UNIT',
    help: 'Unit that is started: l1, or the host name of another process of the network',
    type: option.string,
  },
  files: {
    name: 'files',
    help: 'Write the files of the unit, wait for what it needs, and end: its client has an image of its own',
    type: option.boolean,
    default: false,
  },
  healthy: {
    name: 'healthy',
    help: 'Start nothing; exit with 0 if the unit that runs on the same data is ready',
    type: option.boolean,
    default: false,
  },
  reachable: {
    name: 'reachable',
    help: 'Like --healthy, without the peers: for an engine that names a unit in its DNS as soon as it is healthy',
    type: option.boolean,
    default: false,
  },
  forward: {
    name: 'forward',
    help: 'Start no unit; pass connections to these ports on to the same ports of other hosts: l1:8545,…',
    type: option.list,
  },
  carry: {
    name: 'carry',
    help: 'Start no unit; carry connections to these ports within standard input and output: l1:8545,…',
    type: option.list,
  },
  network: {
    name: 'network',
    env: 'NETWORK',
    help: 'Folder with the spec of the network',
    type: option.string,
    default: '/devnet',
  },
  secrets: {
    name: 'secrets',
    env: 'SECRETS',
    help: 'File with the seed and the mnemonics',
    type: option.string,
    default: '/run/secrets/devnet',
  },
  data: { name: 'data', env: 'DATA', help: 'Folder of the volume', type: option.string, default: '/data' },
} as const;

/** Values of the options of the entry program. */
export type EntryValues = OptionValues<typeof ENTRY_OPTIONS>;
