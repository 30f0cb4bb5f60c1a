import { runTxmgrProgram } from '../txmgr/program/program.ts';
import { CHALLENGER_OPTIONS } from './options.ts';
import { checkChallengerOptions, startChallenger } from './service.ts';

/** Runs `challenger` until a signal; returns the exit code (op-challenger: `Main`). */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runTxmgrProgram(
    {
      name: 'devnet-challenger',
      summary: 'Attacks false outputs in dispute games on L1, and resolves the games that it attacked',
      envPrefixes: ['CHALLENGER_', 'OP_CHALLENGER_'],
      options: CHALLENGER_OPTIONS,
      check: checkChallengerOptions,
      start: startChallenger,
    },
    argv,
    env,
  );
}
