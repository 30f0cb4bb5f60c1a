import { jsonField } from '../../rpc/json-object.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { report, runUntilSignal } from '../../system/program/program.ts';
import { startRollupNode } from './node.ts';
import { type RollupNodeOptions, readOptions } from './options/index.ts';

/** `rollup-node [options]`: runs until stopped and returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  let options: RollupNodeOptions;
  try {
    options = readOptions(argv, env);
  } catch (error) {
    return report('rollup-node', error);
  }
  return runUntilSignal('rollup-node', async () => {
    try {
      return await startRollupNode(options);
    } catch (error) {
      throw listenFailure(error) ?? error;
    }
  });
}

/** Describes a failure to listen on a port. */
function listenFailure(error: unknown): Failure | undefined {
  const code = jsonField(error, 'code');
  const port = jsonField(error, 'port');
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  return new Failure('listen', `cannot listen on port ${port}: ${messageOf(error)}`, {
    exit: EXIT.lacking,
    data: { port },
    hint: 'choose another --rpc.port or --p2p.listen.tcp (0 takes any), or end the program that holds it',
  });
}
