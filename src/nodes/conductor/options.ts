import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../service/host-origin.ts';

/** Options of the conductor. */
export const CONDUCTOR_OPTIONS = {
  ...COMMON_OPTIONS,
  dataDir: {
    name: 'datadir',
    env: 'DATADIR',
    help: 'Folder of its state: the leader, and the last block that was committed',
    type: option.string,
  },
  members: {
    name: 'members',
    env: 'MEMBERS',
    help: 'The sequencers: NAME=ROLLUP-NODE-URL=EXECUTION-CLIENT-URL, separated by commas',
    type: option.list,
    default: [],
  },
  lease: {
    name: 'lease',
    env: 'LEASE',
    help: 'Time after which a leader that does not answer loses the lead',
    type: option.duration,
    default: 1000,
    defaultText: '1s',
  },
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: 'Address of its RPC',
    type: option.string,
    default: '127.0.0.1',
  },
  rpcPort: {
    name: 'rpc.port',
    env: 'RPC_PORT',
    help: 'Port of its RPC, 0 takes any',
    type: option.port,
    default: 8547,
  },
  ...HOST_ORIGIN_OPTIONS,
} as const;
