import { runTxmgrProgram } from '../txmgr/program/program.ts';
import { PROPOSER_OPTIONS } from './options.ts';
import { checkProposerOptions, startProposer } from './service.ts';

/** Runs `proposer` until a signal; returns the exit code (op-proposer: `Main`). */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runTxmgrProgram(
    {
      name: 'devnet-proposer',
      summary: "Proposes the rollup's output roots on L1: to an L2OutputOracle, or as dispute games",
      envPrefixes: ['PROPOSER_', 'OP_PROPOSER_'],
      options: PROPOSER_OPTIONS,
      check: checkProposerOptions,
      start: startProposer,
    },
    argv,
    env,
  );
}
