import { loopbackExempt } from '../../system/net/proxy.ts';
import { type Foreground, runForeground } from '../../system/process/foreground.ts';
import { sweep } from '../../system/process/sweep.ts';
import { commandStamp, commandTraces } from '../control/command-stamp.ts';
import type { Io } from '../terminal/io.ts';

/**
 * Runs a user's command with our terminal, past any proxy. What it leaves running ends with it: a process that holds
 * its output would keep every program waiting that reads ours.
 */
export function runUserCommand(io: Io, argv: readonly string[], env: Readonly<Record<string, string>>): Foreground {
  const command = runForeground(argv, { ...env, ...loopbackExempt(env), ...commandStamp(process.pid) }, io.cwd);
  const exited = command.exited.then(async (result) => {
    const left = await sweep(commandTraces(process.pid));
    if (left > 0) io.stderr(`ended ${left} process${left === 1 ? '' : 'es'} that the command left running\n`);
    return result;
  });
  return { exited, end: command.end };
}
