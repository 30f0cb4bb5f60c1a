import { loggerOf, VERSION } from '../../system/common-options.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readPrivateKey } from '../../system/key-file.ts';
import { parseOptions } from '../../system/options.ts';
import { report, runUntilSignal } from '../../system/program.ts';
import { accountOf } from '../l1-sender/account.ts';
import { PROPOSER_OPTIONS } from './options.ts';
import { startProposer } from './service.ts';

const NAME = 'proposer';

/** Runs `proposer` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values } = parseOptions(
      {
        name: NAME,
        version: VERSION,
        summary: "Proposes the rollup's output roots to the L2OutputOracle on L1",
        envPrefixes: ['PROPOSER_', 'OP_PROPOSER_'],
      },
      PROPOSER_OPTIONS,
      argv,
      env,
    );
    if (values.privateKeyFile === undefined)
      throw new Failure('usage', `${NAME}: --private-key-file is missing`, { exit: EXIT.usage });
    const account = accountOf(readPrivateKey(values.privateKeyFile));
    return await runUntilSignal(NAME, () => startProposer(values, account, VERSION, loggerOf(values)));
  } catch (error) {
    return report(NAME, error);
  }
}
