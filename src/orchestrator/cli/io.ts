import { calledAs } from '../../system/program/called-as.ts';
import { entryPoint } from '../../system/program/entry.ts';
import { quietWriter } from '../../system/program/output.ts';
import { followStarter } from '../../system/program/program.ts';
import { tellSources } from '../../system/program/source-stack.ts';
import type { Io } from '../terminal/io.ts';

/** Output and environment of this process. */
export function processIo(): Io {
  tellSources();
  followStarter(process.env);
  const cwd = process.cwd();
  return {
    stdout: quietWriter(process.stdout),
    stderr: quietWriter(process.stderr),
    env: process.env,
    cwd,
    program: calledAs({ name: 'devnet', script: entryPoint('devnet'), env: process.env, cwd }),
    // A terminal without a width cannot show a list.
    columns: (stream) => (process[stream].isTTY === true ? process[stream].columns : undefined) || undefined,
    isTty: process.stderr.isTTY === true && process.stderr.columns > 0 && process.env['CI'] === undefined,
  };
}
