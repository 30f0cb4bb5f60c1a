import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXIT, Failure } from './failure.ts';

/** A command of the user's that shares our terminal. */
export interface Foreground {
  /** Its exit code, 128 and the signal's number where one ended it; or why it could not be started. */
  readonly exited: Promise<number | Failure>;
  end(): void;
}

/** Runs a command with our input and output; what interrupts us interrupts it as well, because it is in our group. */
export function runForeground(argv: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Foreground {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, { env, cwd, stdio: 'inherit' });
  const exited = new Promise<number | Failure>((resolve) => {
    child.once('error', (cause) =>
      resolve(new Failure('spawn', `cannot run ${file}: ${cause.message}`, { exit: EXIT.lacking, cause })),
    );
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  return { exited, end: () => void child.kill('SIGTERM') };
}
