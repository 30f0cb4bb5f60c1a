import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { ENDPOINT_OPTIONS, TXMGR_OPTIONS } from '../txmgr/program/options.ts';

/**
 * Options of the proposer in op-proposer's spelling (op-proposer: `CLIConfig`). The key is read from a file: arguments
 * are visible to every user.
 */
export const PROPOSER_OPTIONS = {
  ...COMMON_OPTIONS,
  ...ENDPOINT_OPTIONS,
  oracle: {
    name: 'l2oo-address',
    env: 'L2OO_ADDRESS',
    help: 'Address of the L2OutputOracle on L1',
    type: option.string,
  },
  gameFactory: {
    name: 'game-factory-address',
    env: 'GAME_FACTORY_ADDRESS',
    help: 'Address of the DisputeGameFactory on L1, instead of an L2OutputOracle',
    type: option.string,
  },
  gameType: {
    name: 'game-type',
    env: 'GAME_TYPE',
    help: 'Type of the dispute games that are created',
    type: option.natural,
    default: 0,
  },
  proposalInterval: {
    name: 'proposal-interval',
    env: 'PROPOSAL_INTERVAL',
    help: 'Time between two dispute games',
    type: option.duration,
    default: 0,
    defaultText: '0s',
  },
  resolveGames: {
    name: 'resolve-games',
    env: 'RESOLVE_GAMES',
    help: 'Resolve unchallenged dispute games when their clock has run out; the release of the games is 0.17',
    type: option.boolean,
    default: false,
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
    help: 'Time between two polls of contract and rollup node',
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
  ...TXMGR_OPTIONS,
} as const;
