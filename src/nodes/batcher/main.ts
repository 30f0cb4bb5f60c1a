import { runSender } from '../l1-sender/program.ts';
import { BATCHER_OPTIONS } from './options.ts';
import { batcherProblems } from './problems.ts';
import { startBatcher } from './service.ts';

/** Runs `batcher` until a signal; returns the exit code. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runSender(
    {
      name: 'devnet-batcher',
      summary: "Posts the sequencer's blocks to L1 as channels of batches",
      envPrefixes: ['BATCHER_', 'OP_BATCHER_'],
      options: BATCHER_OPTIONS,
      problems: batcherProblems,
      start: startBatcher,
    },
    argv,
    env,
  );
}
