import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../service/host-origin.ts';

/** Options of the DA server. */
export const DA_SERVER_OPTIONS = {
  ...COMMON_OPTIONS,
  dataDir: {
    name: 'datadir',
    env: 'DATADIR',
    help: 'Folder of the data, one file for each commitment',
    type: option.string,
  },
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: 'Address of its HTTP and JSON-RPC',
    type: option.string,
    default: '127.0.0.1',
  },
  rpcPort: {
    name: 'rpc.port',
    env: 'RPC_PORT',
    help: 'Port of its HTTP and JSON-RPC, 0 takes any',
    type: option.port,
    default: 3100,
  },
  ...HOST_ORIGIN_OPTIONS,
} as const;
