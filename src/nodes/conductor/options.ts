import { option } from '../../system/program/options.ts';
import { rpcPort, SERVER_OPTIONS } from '../service/server-program.ts';

/** Options of the conductor. */
export const CONDUCTOR_OPTIONS = {
  ...SERVER_OPTIONS,
  dataDir: {
    name: 'datadir',
    env: 'DATADIR',
    help: 'Folder of its state: the leader, and the last block that was committed',
    type: option.string,
  },
  members: {
    name: 'members',
    env: 'MEMBERS',
    help:
      'The sequencers: NAME=ROLLUP-NODE-URL=EXECUTION-CLIENT-URL, separated by commas; each with ' +
      '=OP-CONDUCTOR-URL=RAFT-HOST:PORT, and op-conductors elect the leader',
    type: option.list,
    default: [],
  },
  l1: {
    name: 'l1-eth-rpc',
    env: 'L1_ETH_RPC',
    help: 'JSON-RPC endpoint of L1: a committed block is given up when its L1 origin has left L1',
    type: option.string,
  },
  lease: {
    name: 'lease',
    env: 'LEASE',
    help: 'Time after which a leader that does not answer, or makes no block that is due, loses the lead',
    type: option.duration,
    default: 1000,
    defaultText: '1s',
  },
  rpcPort: rpcPort(8547),
} as const;
