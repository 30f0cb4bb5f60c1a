import { COMMON_OPTIONS } from '../../system/common-options.ts';
import { option } from '../../system/options.ts';
import { SENDER_OPTIONS } from '../l1-sender/options.ts';

const node = option.url('http:', 'https:', 'ws:', 'wss:');

/** Options of `proposer`, spelled as op-proposer spells them; the key comes by file, because arguments are visible to every user. */
export const PROPOSER_OPTIONS = {
  ...COMMON_OPTIONS,
  l1: {
    name: 'l1-eth-rpc',
    env: 'L1_ETH_RPC',
    help: 'JSON-RPC endpoint of L1',
    type: node,
    default: 'http://127.0.0.1:8545',
  },
  rollup: {
    name: 'rollup-rpc',
    env: 'ROLLUP_RPC',
    help: 'JSON-RPC endpoint of a rollup node',
    type: node,
    default: 'http://127.0.0.1:9547',
  },
  oracle: {
    name: 'l2oo-address',
    env: 'L2OO_ADDRESS',
    help: 'Address of the L2OutputOracle on L1',
    type: option.string,
  },
  privateKeyFile: {
    name: 'private-key-file',
    env: 'PRIVATE_KEY_FILE',
    help: "File with the proposer's private key, readable by its owner only",
    type: option.string,
  },
  allowNonFinalized: {
    name: 'allow-non-finalized',
    env: 'ALLOW_NON_FINALIZED',
    help: 'Propose safe blocks, not only finalized ones',
    type: option.boolean,
    default: false,
  },
  pollInterval: {
    name: 'poll-interval',
    env: 'POLL_INTERVAL',
    help: 'Time between two looks at oracle and rollup node',
    type: option.duration,
    default: 6000,
    defaultText: '6s',
  },
  waitNodeSync: {
    name: 'wait-node-sync',
    env: 'WAIT_NODE_SYNC',
    help: "Before the first proposal, wait until the rollup node has derived up to L1's head as it is at the start",
    type: option.boolean,
    default: false,
  },
  ...SENDER_OPTIONS,
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: "Address of the proposer's own RPC",
    type: option.string,
    default: '127.0.0.1',
  },
  rpcPort: {
    name: 'rpc.port',
    env: 'RPC_PORT',
    help: "Port of the proposer's own RPC, 0 takes any",
    type: option.port,
    default: 8545,
  },
  enableAdmin: {
    name: 'rpc.enable-admin',
    env: 'RPC_ENABLE_ADMIN',
    help: 'Serve the admin namespace',
    type: option.boolean,
    default: false,
  },
} as const;
