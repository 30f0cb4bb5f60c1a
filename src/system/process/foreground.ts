import { constants } from 'node:os';
import { execa } from 'execa';
import { EXIT, Failure, messageOf } from '../failure.ts';

/** A user's command that shares our terminal. */
export interface Foreground {
  /** Resolves with the exit code (128 + signal number after a signal), or with why the command could not start. */
  readonly exited: Promise<number | Failure>;
  /** Ends the command: SIGTERM, and SIGKILL after the grace (ms, default 5000). */
  end(graceMs?: number): void;
}

/** Time (ms) from SIGTERM to SIGKILL. */
const GRACE_MS = 5000;

/** Runs a command with our input and output. It stays in our process group, so that the terminal interrupts both. */
export function runForeground(argv: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Foreground {
  const [file = '', ...args] = argv;
  const child = execa(file, args, {
    env,
    cwd,
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    cleanup: false,
    forceKillAfterDelay: false,
  });
  const exited = child.then(({ exitCode, signal, cause }) => {
    if (exitCode !== undefined) return exitCode;
    if (signal !== undefined) return 128 + constants.signals[signal];
    return new Failure('spawn', `cannot run ${file}: ${messageOf(cause)}`, { exit: EXIT.lacking, cause });
  });
  const end = (graceMs = GRACE_MS) => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
    void exited.finally(() => clearTimeout(late));
  };
  return { exited, end };
}
