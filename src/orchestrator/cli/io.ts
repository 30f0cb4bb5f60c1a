import { followStarter } from '../../system/lifeline.ts';
import { quietWriter } from '../../system/output.ts';
import { tellSources } from '../../system/source-stack.ts';
import type { Io } from '../workflow/command.ts';

/** Output and environment of this process. */
export function processIo(): Io {
  tellSources();
  followStarter(process.env);
  return {
    stdout: quietWriter(process.stdout),
    stderr: quietWriter(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    // A terminal without a width cannot show a list.
    isTty: process.stderr.isTTY === true && process.stderr.columns > 0 && process.env['CI'] === undefined,
  };
}
