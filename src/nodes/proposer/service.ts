import { lowerHex, sameHex } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { type Channel, standaloneChannel } from '../../system/channel/channel.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Account } from '../txmgr/account.ts';
import { retryUntilAnswered } from '../txmgr/connect.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import { type RunningService, type ServiceClients, startService } from '../txmgr/program/service.ts';
import { waitRollupSync } from '../txmgr/rollup-sync.ts';
import { disputeGames } from './dispute-games.ts';
import { runProposer } from './driver.ts';
import { proposeFalseOutput } from './false-output.ts';
import { ADMIN_METHODS, HEALTH_METHODS, type ProposerControl } from './methods.ts';
import type { PROPOSER_OPTIONS } from './options.ts';
import { outputOracle } from './output-oracle.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** Values of the proposer's options (op-proposer: `CLIConfig`). */
export type ProposerValues = OptionValues<typeof PROPOSER_OPTIONS>;

/** A running proposer with its own RPC. */
export type RunningProposer = RunningService;

/** Returns the problems of the proposer's own options, a sentence each (op-proposer: `CLIConfig.Check`). */
export function checkProposerOptions(values: ProposerValues): readonly string[] {
  const { oracle, gameFactory, pollInterval, proposalInterval } = values;
  const problems = pollInterval <= 0 ? ['--poll-interval: expected more than 0'] : [];
  if ((oracle === undefined) === (gameFactory === undefined))
    problems.push(
      'expected exactly one of --l2oo-address (the L2OutputOracle) and --game-factory-address (the DisputeGameFactory)',
    );
  if (gameFactory !== undefined && proposalInterval <= 0)
    problems.push('--proposal-interval: expected the time between two dispute games, such as 10m');
  if (oracle !== undefined && proposalInterval > 0)
    problems.push('--proposal-interval is for --game-factory-address: an L2OutputOracle has an interval of its own');
  for (const [name, address] of Object.entries({ 'l2oo-address': oracle, 'game-factory-address': gameFactory }))
    if (address !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(address))
      problems.push(`--${name}: expected an address of 20 bytes, found ${address}`);
  return problems;
}

function outputsOf(values: ProposerValues, rpc: RpcClient, l1: L1Backend): ProposalTarget {
  const { oracle, gameFactory, gameType, proposalInterval, resolveGames } = values;
  if (oracle !== undefined) return outputOracle(rpc, lowerHex(oracle));
  const factory = lowerHex(present(gameFactory, '--game-factory-address'));
  return disputeGames(rpc, l1, { factory, gameType, interval: proposalInterval / 1000, resolve: resolveGames });
}

/**
 * Starts the proposer (op-proposer: `ProposerService`): its RPC at once, proposing once L1 and the rollup node answer.
 * @throws Failure if its port is taken
 */
export function startProposer(
  values: ProposerValues,
  account: Account,
  version: string,
  log: Logger,
  channel: Channel = standaloneChannel(),
): Promise<RunningProposer> {
  const { address } = account;

  async function work(clients: ServiceClients, connected: () => void, signal: AbortSignal): Promise<void> {
    const { rpc, l1, node, sender, pollInterval } = clients;
    const outputs = outputsOf(values, rpc, l1);
    await Promise.all([
      retryUntilAnswered('the rollup node', () => node.call('optimism_syncStatus'), log, signal),
      retryUntilAnswered('L1', () => outputs.check(), log, signal),
    ]);
    const sync = { l1, node, address, depth: 0, pollInterval, log };
    if (values.waitNodeSync)
      await retryUntilAnswered('the rollup node', () => waitRollupSync(sync, signal), log, signal);
    if (signal.aborted) return;
    await warnOfKey(outputs, account, log);
    log.info('Proposer runs', { address, outputs: outputs.address, nonFinalized: values.allowNonFinalized });
    connected();
    await runProposer({ l1, node, outputs, sender, clock: channel, log }, { ...values, pollInterval }, signal);
  }

  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  return startService(
    values,
    account,
    {
      title: 'Proposer',
      work,
      api(clients, control) {
        const propose: ProposerControl['proposeFalseOutput'] = (root, block) =>
          proposeFalseOutput({ ...clients, outputs: outputsOf(values, clients.rpc, clients.l1) }, { root, block });
        return { methods, context: Object.assign(control, { version, proposeFalseOutput: propose }) };
      },
    },
    log,
    channel,
  );
}

async function warnOfKey(outputs: ProposalTarget, account: Account, log: Logger): Promise<void> {
  const expected = await outputs.proposer().catch(() => undefined);
  if (expected !== undefined && !sameHex(expected, account.address))
    log.warn('The key is not the proposer that the contract takes outputs from', {
      address: account.address,
      expected,
    });
}
