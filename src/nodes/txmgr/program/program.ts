import type { Channel } from '../../../system/channel/channel.ts';
import { readPrivateKey } from '../../../system/crypto/key-file.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { channelOf, loggerOf, VERSION } from '../../../system/program/common-options.ts';
import type { Logger } from '../../../system/program/log.ts';
import { type OptionSpec, type OptionValues, parseOptions } from '../../../system/program/options.ts';
import { type Running, report, runUntilSignal } from '../../../system/program/program.ts';
import { type Account, accountOf } from '../account.ts';
import { checkTxmgrOptions, type ENDPOINT_OPTIONS, type TXMGR_OPTIONS } from './options.ts';
import { unsupportedOptions } from './unsupported-options.ts';

/** A program that sends transactions to L1 from one account. */
export interface TxmgrProgram<Table extends Record<string, OptionSpec>> {
  readonly name: string;
  readonly summary: string;
  /** `BATCHER_` for `BATCHER_L1_ETH_RPC`. */
  readonly envPrefixes: readonly string[];
  readonly options: Table;
  /** Returns the problems of the values, a sentence each. `explicit`: keys with a value of the user. */
  check(values: OptionValues<Table>, explicit: ReadonlySet<keyof Table>): readonly string[];
  start(
    values: OptionValues<Table>,
    account: Account,
    version: string,
    log: Logger,
    channel: Channel,
  ): Promise<Running>;
}

type Common = OptionValues<typeof TXMGR_OPTIONS & typeof ENDPOINT_OPTIONS>;

/**
 * Runs the program until a signal and returns its exit code (op-service: `LifecycleCmd`).
 * The code is 2 on a wrong command line, with every problem listed.
 */
export async function runTxmgrProgram<const Table extends Record<string, OptionSpec>>(
  program: TxmgrProgram<Table>,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { name, summary, envPrefixes, options } = program;
  try {
    const unsupported = unsupportedOptions(argv);
    if (unsupported.length > 0) throw usageFailure(name, unsupported);
    const { values, explicit, operands } = parseOptions(
      { name, version: VERSION, summary, envPrefixes },
      options,
      argv,
      env,
    );
    const common = values as unknown as Common & Parameters<typeof channelOf>[0];
    const { privateKeyFile } = common;
    const problems = [
      ...operands.map((word) => `unexpected word ${JSON.stringify(word)}`),
      ...(privateKeyFile === undefined ? ['--private-key-file is missing'] : []),
      ...checkTxmgrOptions(common),
      ...program.check(values, explicit),
    ];
    if (problems.length > 0 || privateKeyFile === undefined) throw usageFailure(name, problems);
    const account = accountOf(readPrivateKey(privateKeyFile));
    const channel = channelOf(common);
    return await runUntilSignal(name, () => program.start(values, account, VERSION, loggerOf(common), channel)).finally(
      () => channel.close(),
    );
  } catch (error) {
    return report(name, error);
  }
}

function usageFailure(name: string, problems: readonly string[]): Failure {
  return new Failure('usage', `${name}: ${problems.join('\n  ')}`, {
    exit: EXIT.usage,
    data: { problems },
    hint: `${name} --help lists the options`,
  });
}
