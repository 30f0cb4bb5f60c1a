import { hexToSized, sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/log.ts';
import type { OptionValues } from '../../system/options.ts';
import type { Running } from '../../system/program.ts';
import type { Account } from '../l1-sender/account.ts';
import { clientFor, listen, whenAnswered } from '../l1-sender/connect.ts';
import { l1Of } from '../l1-sender/l1.ts';
import { l1Sender } from '../l1-sender/sender.ts';
import { HEALTH_METHODS } from './methods.ts';
import type { PROPOSER_OPTIONS } from './options.ts';
import { type Oracle, oracleAt } from './oracle.ts';
import { propose } from './proposer.ts';

export type ProposerValues = OptionValues<typeof PROPOSER_OPTIONS>;

export interface RunningProposer extends Running {
  /** Of the proposer's own RPC. */
  readonly port: number;
}

/** The oracle's address from its option. @throws Failure `usage` */
function addressOf(text: string | undefined): Hex {
  try {
    if (text !== undefined && hexToSized(text, 20)) return text.toLowerCase() as Hex;
  } catch {
    // Malformed: said below.
  }
  throw new Failure('usage', `proposer: --l2oo-address: expected an address of 20 bytes, found ${text ?? 'none'}`, {
    exit: EXIT.usage,
  });
}

/** Starts the proposer: its RPC at once, proposing as soon as L1 and the rollup node answer. @throws Failure where its port is taken */
export async function startProposer(
  values: ProposerValues,
  account: Account,
  version: string,
  log: Logger,
): Promise<RunningProposer> {
  const address = addressOf(values.oracle);
  const stopping = new AbortController();
  const { signal } = stopping;
  const rpc = clientFor(values.l1);
  const node = clientFor(values.rollup);
  const l1 = l1Of(rpc);
  const oracle = oracleAt(rpc, address);
  const pollInterval = Math.max(values.pollInterval, 50);
  const sender = l1Sender(l1, account, { ...values, pollInterval: Math.min(pollInterval, 1000) }, log);
  const { rpcHost: host, rpcPort: port } = values;
  const server = await listen({ host, port, methods: HEALTH_METHODS, context: { version } });
  log.info('Proposer listens', { address: `http://${host}:${server.port}`, account: account.address });
  const ended = (async () => {
    await Promise.all([
      whenAnswered('the rollup node', () => node.call('optimism_syncStatus'), log, signal),
      whenAnswered('L1', () => oracle.check(), log, signal),
    ]);
    if (signal.aborted) return;
    await warnOfKey(oracle, account, log);
    log.info('Proposer runs', { address: account.address, oracle: address, nonFinalized: values.allowNonFinalized });
    await propose({ l1, node, oracle, sender, log }, { ...values, pollInterval }, signal);
  })();
  return {
    port: server.port,
    failed: ended.then(() => new Promise<never>(() => {})),
    async stop() {
      stopping.abort();
      await server.close();
      rpc.close();
      node.close();
      await ended.catch(() => {});
    },
  };
}

async function warnOfKey(oracle: Oracle, account: Account, log: Logger): Promise<void> {
  const expected = await oracle.proposer().catch(() => undefined);
  if (expected !== undefined && !sameHex(expected, account.address))
    log.warn('The key is not the proposer that the oracle takes outputs from', { address: account.address, expected });
}
