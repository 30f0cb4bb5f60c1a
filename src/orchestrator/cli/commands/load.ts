import { EXIT } from '../../../system/failure.ts';
import { onInterrupt } from '../../../system/program/terminal.ts';
import { whileUp } from '../../devnet/network-end.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { timeOf } from '../../scenario/time.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { LOAD_KINDS } from '../../traffic/load/kinds.ts';
import { type LoadResult, runLoad } from '../../traffic/load/load.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';
import { numberOption } from '../input/number-option.ts';

/** Number of transactions if neither --count nor --for is given. */
const DEFAULT_COUNT = 20;

export const command: CommandDefinition = {
  name: 'load',
  group: 'send transactions',
  summary: 'send transactions, and print how many were included, how many failed, and after what time',
  examples: ['devnet load --count 100', 'devnet load --kind mixed --for 30s --tps 20'],
  exits: { 1: 'a transaction failed, or is not in a block' },
  arguments: [],
  options: [
    { flags: '--kind <kind>', description: 'what is sent', choices: LOAD_KINDS, default: 'transfers' },
    { flags: '--count <number>', description: `so many transactions (default: ${DEFAULT_COUNT})` },
    { flags: '--for <duration>', description: 'send for this time' },
    { flags: '--tps <number>', description: 'transactions per second; default: as many as the network takes' },
    { flags: '--seed <number>', description: 'amounts, addresses and order follow from it', default: '0' },
    {
      flags: '--timeout <duration>',
      description: 'wait this long for those that were sent, and for a client that takes the next one',
      default: '60s',
    },
    { flags: '--json', description: 'one JSON document' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, _, options) {
    const count = numberOption(options, 'count', 1, 10_000_000);
    const forMs = durationOption(options, 'for');
    const tps = numberOption(options, 'tps', 0.01, 100_000);
    const seed = numberOption(options, 'seed', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const timeoutMs = durationOption(options, 'timeout') ?? 60_000;
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    mustBeUp(devnet);
    const ending = new AbortController();
    let code: number | undefined;
    const unfollow = onInterrupt((signal) => {
      code = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
      if (!ending.signal.aborted) io.stderr(`${signal}: sending ends; waiting for those that were sent\n`);
      ending.abort();
    });
    const kind = LOAD_KINDS.find((each) => each === options['kind']) ?? 'transfers';
    try {
      // An interrupt ends the sending only: time goes on until those that were sent are in blocks.
      const result = await whileUp(() => devnet)(async (networkEnd) => {
        const { pass, now } = await timeOf(() => devnet, plan, networkEnd);
        return runLoad(plan, chain, {
          ...{ kind, seed, forMs, tps, timeoutMs, signal: ending.signal, pass, now },
          count: count ?? (forMs === undefined ? DEFAULT_COUNT : undefined),
        });
      });
      if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
      else for (const line of loadLines(result)) io.stdout(fitToTerminal(io, `${line}\n`));
      return code ?? (isGood(result) ? EXIT.done : EXIT.failed);
    } finally {
      unfollow();
    }
  },
};

/** Whether everything that was sent succeeded. */
function isGood({ failed, missing, refused }: LoadResult): boolean {
  return failed === 0 && missing === 0 && refused === undefined;
}

/** Formats the result of a load for people. */
function loadLines({ kind, latency, ...result }: LoadResult): readonly string[] {
  const { sent, included, failed, missing, seconds, tps, refused } = result;
  return [
    `${kind}: ${sent} sent, ${included} included, ${failed} failed, ${missing} not included; ` +
      `${seconds} s, ${tps} per second`,
    `  latency  p50 ${latency.p50} ms  p90 ${latency.p90} ms  p99 ${latency.p99} ms  max ${latency.max} ms`,
    ...(refused === undefined ? [] : [`  sending ended: ${refused}`]),
  ];
}
