import { lowerHex, sameHex } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { readyRoute } from '../../rpc/server/ready-route.ts';
import { type Channel, standaloneChannel } from '../../system/channel/channel.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen } from '../service/listen.ts';
import type { Account } from '../txmgr/account.ts';
import { startableCheckpoints } from '../txmgr/checkpoints.ts';
import { dialRpc, retryUntilAnswered } from '../txmgr/connect.ts';
import { type L1Backend, l1Backend } from '../txmgr/l1-backend.ts';
import { txManagerOptions } from '../txmgr/program/options.ts';
import { waitRollupSync } from '../txmgr/rollup-sync.ts';
import { txManager } from '../txmgr/txmgr.ts';
import { disputeGames } from './dispute-games.ts';
import { runProposer } from './driver.ts';
import { ADMIN_METHODS, HEALTH_METHODS, type ProposerControl } from './methods.ts';
import type { PROPOSER_OPTIONS } from './options.ts';
import { outputOracle } from './output-oracle.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** Values of the proposer's options (op-proposer: `CLIConfig`). */
export type ProposerValues = OptionValues<typeof PROPOSER_OPTIONS>;

/** A running proposer with its own RPC. */
export interface RunningProposer extends Running {
  /** Port of the proposer's own RPC. */
  readonly port: number;
}

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
export async function startProposer(
  values: ProposerValues,
  account: Account,
  version: string,
  log: Logger,
  channel: Channel = standaloneChannel(),
): Promise<RunningProposer> {
  const { address } = account;
  const rpc = dialRpc(values.l1, values.networkTimeout);
  const node = dialRpc(values.rollup, values.networkTimeout);
  const l1 = l1Backend(rpc);
  const pollInterval = Math.max(values.pollInterval, 50);
  const sender = txManager(l1, account, txManagerOptions(values), log, channel);
  const connecting = channel.activity();
  channel.report(() => ({ kind: 'poster' }));
  const sync = { l1, node, address, depth: 0, pollInterval, log };
  let tellBroken: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    tellBroken = reject;
  });
  let run: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;

  async function work(signal: AbortSignal): Promise<void> {
    connecting.busy();
    const outputs = outputsOf(values, rpc, l1);
    await Promise.all([
      retryUntilAnswered('the rollup node', () => node.call('optimism_syncStatus'), log, signal),
      retryUntilAnswered('L1', () => outputs.check(), log, signal),
    ]);
    if (values.waitNodeSync)
      await retryUntilAnswered('the rollup node', () => waitRollupSync(sync, signal), log, signal);
    if (signal.aborted) return connecting.idle();
    await warnOfKey(outputs, account, log);
    log.info('Proposer runs', { address, outputs: outputs.address, nonFinalized: values.allowNonFinalized });
    connecting.idle();
    await runProposer({ l1, node, outputs, sender, clock: channel, log }, { ...values, pollInterval }, signal);
  }

  const control: ProposerControl = {
    version,
    get running() {
      return run !== undefined;
    },
    start() {
      const ending = new AbortController();
      const done = work(ending.signal).catch((error: unknown) => {
        if (!ending.signal.aborted) tellBroken(error);
      });
      run = { ending, done };
    },
    async stop() {
      const current = run;
      run = undefined;
      current?.ending.abort();
      await current?.done;
      log.info('Proposer stopped');
    },
  };
  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  const { rpcHost: host, rpcPort: port } = values;
  const api = { host, port, ...hostOriginPolicy(values), http: true, methods, context: control, route: readyRoute() };
  const server = await listen('rpc.port', api);
  log.info('Proposer listens', { address: `http://${host}:${server.port}`, account: address });
  control.start();
  channel.onCheckpoints(startableCheckpoints(control, sender));
  return {
    port: server.port,
    failed: broken,
    async stop() {
      const stopped = control.stop();
      await server.close();
      rpc.close();
      node.close();
      await stopped;
    },
  };
}

async function warnOfKey(outputs: ProposalTarget, account: Account, log: Logger): Promise<void> {
  const expected = await outputs.proposer().catch(() => undefined);
  if (expected !== undefined && !sameHex(expected, account.address))
    log.warn('The key is not the proposer that the contract takes outputs from', {
      address: account.address,
      expected,
    });
}
