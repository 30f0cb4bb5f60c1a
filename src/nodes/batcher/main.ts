import { loggerOf, VERSION } from '../../system/common-options.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readPrivateKey } from '../../system/key-file.ts';
import { parseOptions } from '../../system/options.ts';
import { report, runUntilSignal } from '../../system/program.ts';
import { accountOf } from '../l1-sender/account.ts';
import { BATCHER_OPTIONS } from './options.ts';
import { startBatcher } from './service.ts';

const NAME = 'batcher';

/** Runs `batcher` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values } = parseOptions(
      {
        name: NAME,
        version: VERSION,
        summary: "Posts the sequencer's blocks to L1 as channels of batches",
        envPrefixes: ['BATCHER_', 'OP_BATCHER_'],
      },
      BATCHER_OPTIONS,
      argv,
      env,
    );
    if (values.privateKeyFile === undefined)
      throw new Failure('usage', `${NAME}: --private-key-file is missing`, { exit: EXIT.usage });
    const account = accountOf(readPrivateKey(values.privateKeyFile));
    return await runUntilSignal(NAME, () => startBatcher(values, account, VERSION, loggerOf(values)));
  } catch (error) {
    return report(NAME, error);
  }
}
