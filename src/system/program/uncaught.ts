import { EXIT, Failure, messageOf, systemCode } from '../failure.ts';
import { quietWriter } from './output.ts';
import { report } from './program.ts';
import { sourceStack } from './source-stack.ts';

/**
 * Ends a program on an error that no code catches, with one line and its place in our source.
 * Node itself prints the line of the bundle, which has some thousand characters. `exit` ends the process.
 * A session of the supervisor has a listener of its own, which ends the network first.
 */
export function endOnUncaught(name: string, exit: (code: number) => void): void {
  const end = (error: unknown): void => {
    if (process.listeners('uncaughtException').some((listener) => listener !== end)) return;
    exit(tell(name, error));
  };
  process.on('uncaughtException', end);
}

/** Prints the error and returns the exit code. */
function tell(name: string, error: unknown): number {
  if (error instanceof Failure || systemCode(error) !== undefined) return report(name, error);
  const [message = ''] = messageOf(error).split('\n');
  const place = error instanceof Error ? /\b(src\/[^\s()]+:\d+:\d+)/.exec(sourceStack(error))?.[1] : undefined;
  const where = place === undefined ? '' : ` (at ${place})`;
  quietWriter(process.stderr)(`${name}: unexpected error: ${message}${where}\n`);
  return EXIT.failed;
}
