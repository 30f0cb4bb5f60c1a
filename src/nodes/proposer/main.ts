import { runSender } from '../l1-sender/program.ts';
import { PROPOSER_OPTIONS } from './options.ts';
import { proposerProblems, startProposer } from './service.ts';

/** Runs `proposer` until a signal; returns the exit code. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runSender(
    {
      name: 'devnet-proposer',
      summary: "Proposes the rollup's output roots on L1: to an L2OutputOracle, or as dispute games",
      envPrefixes: ['PROPOSER_', 'OP_PROPOSER_'],
      options: PROPOSER_OPTIONS,
      problems: proposerProblems,
      start: startProposer,
    },
    argv,
    env,
  );
}
