import { u256be } from '../../protocol/bytes.ts';
import { keccak256Text } from '../../protocol/hash.ts';
import { bytesToHex, lowerHex } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { type Channel, standaloneChannel } from '../../system/channel/channel.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import { calldata, mustHaveCode } from '../games/abi.ts';
import { implementationOf } from '../games/game.ts';
import type { Account } from '../txmgr/account.ts';
import { retryUntilAnswered } from '../txmgr/connect.ts';
import { type RunningService, startService } from '../txmgr/program/service.ts';
import { runChallenger } from './driver.ts';
import { CHALLENGER_METHODS, type ChallengerFacts } from './methods.ts';
import type { CHALLENGER_OPTIONS } from './options.ts';
import { GameWatch } from './watch.ts';

/** Values of the challenger's options (op-challenger: `CLIConfig`). */
export type ChallengerValues = OptionValues<typeof CHALLENGER_OPTIONS>;

/** Returns the problems of the challenger's own options, a sentence each (op-challenger: `Config.Check`). */
export function checkChallengerOptions({ gameFactory, pollInterval }: ChallengerValues): readonly string[] {
  const problems = pollInterval <= 0 ? ['--poll-interval: expected more than 0'] : [];
  if (gameFactory === undefined) problems.push('--game-factory-address is missing: the DisputeGameFactory');
  else if (!/^0x[0-9a-fA-F]{40}$/.test(gameFactory))
    problems.push(`--game-factory-address: expected an address of 20 bytes, found ${gameFactory}`);
  return problems;
}

/**
 * Starts the challenger (op-challenger: `Service`): its RPC at once, challenging once L1 and the rollup node answer.
 * @throws Failure if its port is taken
 */
export function startChallenger(
  values: ChallengerValues,
  account: Account,
  version: string,
  log: Logger,
  channel: Channel = standaloneChannel(),
): Promise<RunningService> {
  const factory = lowerHex(present(values.gameFactory, '--game-factory-address'));
  const { gameType } = values;
  const { address } = account;
  const facts: ChallengerFacts = { version, hindrance: undefined };
  const hinders = (reason: string | undefined) => {
    if (reason !== undefined && facts.hindrance === undefined) log.error('Cannot challenge', { reason });
    facts.hindrance = reason;
  };
  return startService(
    values,
    account,
    {
      title: 'Challenger',
      async work({ rpc, node, l1, sender, pollInterval }, connected, signal) {
        await Promise.all([
          retryUntilAnswered('the rollup node', () => node.call('optimism_syncStatus'), log, signal),
          retryUntilAnswered('L1', () => checkGames(rpc, factory, gameType, address), log, signal),
        ]);
        if (signal.aborted) return;
        const games = new GameWatch({ rpc, node, l1, log, factory, gameType, address });
        log.info('Challenger runs', { address, factory, gameType });
        connected();
        await runChallenger({ l1, sender, games, clock: channel, log, hinders, pollInterval }, signal);
      },
      api: () => ({ methods: CHALLENGER_METHODS, context: facts }),
    },
    log,
    channel,
  );
}

/** @throws Failure if the games are missing, or do not take moves of this account */
async function checkGames(rpc: RpcClient, factory: Hex, gameType: number, address: Hex): Promise<void> {
  await mustHaveCode(rpc, factory, 'DisputeGameFactory', 'game-factory-address');
  const game = await implementationOf(rpc, factory, gameType);
  if (/^0x0{40}$/.test(game))
    throw new Failure('no-game', `the DisputeGameFactory at ${factory} has no game of type ${gameType}`, {
      data: { factory, gameType },
      hint: 'check --game-type: 1 is the permissioned game',
    });
  // These games have no getters of their accounts. What they refuse first tells them apart.
  const claim = calldata('attack(uint256,bytes32)', u256be(0), u256be(0));
  const [isNone, isNotProposer] = await Promise.all([
    isRefused(rpc, { from: address, to: game, data: claim }),
    isRefused(rpc, { from: address, to: game, data: calldata('initialize()') }),
  ]);
  const hint = 'give the key of the challenger by --private-key-file';
  if (isNone)
    throw new Failure('challenger-key', `the games take no moves of ${address}: it is not their challenger`, {
      data: { address },
      hint,
    });
  if (!isNotProposer)
    throw new Failure('challenger-key', `${address} is the proposer of these games: it cannot challenge itself`, {
      data: { address },
      hint,
    });
}

const BAD_AUTH = bytesToHex(keccak256Text('BadAuth()').subarray(0, 4));

/** Tells whether a contract refuses a call because of its sender (PermissionedDisputeGame: `BadAuth`). */
async function isRefused(rpc: RpcClient, { from, to, data }: { from: Hex; to: Hex; data: Uint8Array }) {
  try {
    await rpc.call('eth_call', [{ from, to, data: bytesToHex(data) }, 'latest']);
    return false;
  } catch (error) {
    if (error instanceof RpcError) return String(error.data).startsWith(BAD_AUTH);
    throw error;
  }
}
