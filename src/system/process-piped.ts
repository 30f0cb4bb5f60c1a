import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { EXIT, Failure, SYSTEM_HINTS } from './failure.ts';

/** A process of our own package that is spoken to in lines of JSON, in a session of its own, so that no terminal signals it. */
export interface PipedProcess {
  readonly pid: number;
  /** What it writes to standard output. */
  readonly output: Readable;
  readonly exited: Promise<number | null>;
  /** A reader that is gone is no fault of the writer: the message is lost. */
  send(message: unknown): void;
  /** Ends what is sent; the process sees the end of its input. */
  endInput(): void;
  kill(): void;
  /** Lets this process end although that one runs on. */
  unref(): void;
}

/**
 * Starts it with piped input and output; its error stream goes nowhere, because nobody may be left to read it.
 * @throws Failure `spawn` (exit 4) where no more files can be opened
 */
export function startPiped(argv: readonly string[], env: Readonly<Record<string, string>>): PipedProcess {
  const [file = process.execPath, ...args] = argv;
  const child = spawn(file, args, { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  // Node makes no streams where it meets the limit of open files, and says so a tick later.
  if (child.stdin === undefined)
    throw new Failure('spawn', `cannot start ${file}: too many open files (EMFILE)`, {
      exit: EXIT.lacking,
      hint: SYSTEM_HINTS['EMFILE']!,
    });
  child.stdin.on('error', () => undefined);
  child.stdout.on('error', () => undefined);
  return {
    pid: child.pid ?? -1,
    output: child.stdout,
    exited,
    send: (message) => {
      if (child.stdin.writable) child.stdin.write(JSON.stringify(message) + '\n');
    },
    endInput: () => child.stdin.end(),
    kill: () => {
      child.kill('SIGKILL');
    },
    unref: () => {
      child.unref();
      (child.stdin as unknown as { unref?(): void }).unref?.();
      (child.stdout as unknown as { unref?(): void }).unref?.();
    },
  };
}
