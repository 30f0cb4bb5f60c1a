import { option } from '../../system/program/options.ts';
import { rpcPort, SERVER_OPTIONS } from '../service/server-program.ts';

/** Options of the DA server. */
export const DA_SERVER_OPTIONS = {
  ...SERVER_OPTIONS,
  dataDir: {
    name: 'datadir',
    env: 'DATADIR',
    help: 'Folder of the data, one file for each commitment',
    type: option.string,
  },
  rpcPort: rpcPort(3100),
} as const;
