import { runTxmgrProgram } from '../txmgr/program/program.ts';
import { checkBatcherOptions } from './options/option-checks.ts';
import { BATCHER_OPTIONS } from './options/options.ts';
import { startBatcher } from './service.ts';

/** Runs `batcher` until a signal; returns the exit code (op-batcher: `Main`). */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runTxmgrProgram(
    {
      name: 'devnet-batcher',
      summary: "Posts the sequencer's blocks to L1 as channels of batches",
      envPrefixes: ['BATCHER_', 'OP_BATCHER_'],
      options: BATCHER_OPTIONS,
      check: checkBatcherOptions,
      start: startBatcher,
    },
    argv,
    env,
  );
}
