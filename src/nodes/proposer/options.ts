import { COMMON_OPTIONS } from '../../system/common-options.ts';
import { option } from '../../system/options.ts';
import { ENDPOINT_OPTIONS, SENDER_OPTIONS } from '../l1-sender/options.ts';

/** Options of `proposer`, spelled as op-proposer spells them; the key comes by file, because arguments are visible to every user. */
export const PROPOSER_OPTIONS = {
  ...COMMON_OPTIONS,
  ...ENDPOINT_OPTIONS,
  oracle: {
    name: 'l2oo-address',
    env: 'L2OO_ADDRESS',
    help: 'Address of the L2OutputOracle on L1',
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
} as const;
