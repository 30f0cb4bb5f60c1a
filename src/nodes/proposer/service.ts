import { hexToSized, sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Logger } from '../../system/log.ts';
import type { OptionValues } from '../../system/options.ts';
import type { Running } from '../../system/program.ts';
import type { Account } from '../l1-sender/account.ts';
import { clientFor, whenAnswered } from '../l1-sender/connect.ts';
import { l1Of } from '../l1-sender/l1.ts';
import { waitForNode } from '../l1-sender/node-sync.ts';
import { senderOptionsOf } from '../l1-sender/options.ts';
import { l1Sender } from '../l1-sender/sender.ts';
import { listen } from '../listen.ts';
import { servedNames } from '../served-names.ts';
import { ADMIN_METHODS, HEALTH_METHODS, type ProposerControl } from './methods.ts';
import type { PROPOSER_OPTIONS } from './options.ts';
import { type Oracle, oracleAt } from './oracle.ts';
import { propose } from './proposer.ts';

export type ProposerValues = OptionValues<typeof PROPOSER_OPTIONS>;

export interface RunningProposer extends Running {
  /** Of the proposer's own RPC. */
  readonly port: number;
}

/** What is wrong with the proposer's own options, a sentence each. */
export function proposerProblems({ oracle, pollInterval }: ProposerValues): readonly string[] {
  const problems = pollInterval <= 0 ? ['--poll-interval: expected more than 0'] : [];
  try {
    if (oracle !== undefined) hexToSized(oracle, 20);
    else problems.push('--l2oo-address is missing: the address of the L2OutputOracle on L1');
  } catch {
    problems.push(`--l2oo-address: expected an address of 20 bytes, found ${oracle}`);
  }
  return problems;
}

/** Starts the proposer: its RPC at once, proposing as soon as L1 and the rollup node answer. @throws Failure where its port is taken */
export async function startProposer(
  values: ProposerValues,
  account: Account,
  version: string,
  log: Logger,
): Promise<RunningProposer> {
  const { address } = account;
  const rpc = clientFor(values.l1, values.networkTimeout);
  const node = clientFor(values.rollup, values.networkTimeout);
  const l1 = l1Of(rpc);
  const oracle = oracleAt(rpc, values.oracle!.toLowerCase() as Hex);
  const pollInterval = Math.max(values.pollInterval, 50);
  const sender = l1Sender(l1, account, senderOptionsOf(values), log);
  const sync = { l1, node, address, depth: 0, pollInterval, log };
  let tellBroken: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    tellBroken = reject;
  });
  let run: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;

  async function work(signal: AbortSignal): Promise<void> {
    await Promise.all([
      whenAnswered('the rollup node', () => node.call('optimism_syncStatus'), log, signal),
      whenAnswered('L1', () => oracle.check(), log, signal),
    ]);
    if (values.waitNodeSync) await whenAnswered('the rollup node', () => waitForNode(sync, signal), log, signal);
    if (signal.aborted) return;
    await warnOfKey(oracle, account, log);
    log.info('Proposer runs', { address, oracle: oracle.address, nonFinalized: values.allowNonFinalized });
    await propose({ l1, node, oracle, sender, log }, { ...values, pollInterval }, signal);
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
      const ended = run;
      run = undefined;
      ended?.ending.abort();
      await ended?.done;
      log.info('Proposer stopped');
    },
  };
  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  const { rpcHost: host, rpcPort: port } = values;
  const api = { host, port, ...servedNames(values), http: true, methods, context: control };
  const server = await listen('rpc.port', api);
  log.info('Proposer listens', { address: `http://${host}:${server.port}`, account: address });
  control.start();
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

async function warnOfKey(oracle: Oracle, account: Account, log: Logger): Promise<void> {
  const expected = await oracle.proposer().catch(() => undefined);
  if (expected !== undefined && !sameHex(expected, account.address))
    log.warn('The key is not the proposer that the oracle takes outputs from', { address: account.address, expected });
}
