import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { ENDPOINT_OPTIONS, TXMGR_OPTIONS } from '../txmgr/program/options.ts';

/**
 * Options of the challenger in op-challenger's spelling (op-challenger: `CLIConfig`). The key is read from a file:
 * arguments are visible to every user.
 */
export const CHALLENGER_OPTIONS = {
  ...COMMON_OPTIONS,
  ...ENDPOINT_OPTIONS,
  gameFactory: {
    name: 'game-factory-address',
    env: 'GAME_FACTORY_ADDRESS',
    help: 'Address of the DisputeGameFactory on L1',
    type: option.string,
  },
  gameType: {
    name: 'game-type',
    env: 'GAME_TYPE',
    help: 'Type of the dispute games that are watched: 1 is the permissioned game',
    type: option.natural,
    default: 1,
  },
  pollInterval: {
    name: 'poll-interval',
    env: 'POLL_INTERVAL',
    help: 'Time between two polls of the games',
    type: option.duration,
    default: 12_000,
    defaultText: '12s',
  },
  ...TXMGR_OPTIONS,
} as const;
