import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { EXIT, Failure, SYSTEM_HINTS } from './failure.ts';
import { OWN_SESSION } from './own-session.ts';

/** A process of our own package that reads and writes lines of JSON, in a session of its own. */
export interface PipedProcess {
  readonly pid: number;
  /** Standard output, paused until it is read. */
  readonly output: Readable;
  readonly exited: Promise<number | null>;
  /** Sends messages in one write. They are lost where the process is gone. */
  send(...messages: readonly unknown[]): void;
  /** Closes the process's standard input. */
  endInput(): void;
  kill(): void;
  /** Lets this process end while the other runs on. */
  unref(): void;
  /** Keeps this process alive again until the other ends. */
  ref(): void;
}

/**
 * Starts a process with piped input and output. Its error stream is discarded.
 * @throws Failure `spawn` (exit 4) where no more files can be opened
 */
export function startPiped(argv: readonly string[], env: Readonly<Record<string, string>>): PipedProcess {
  const [file = process.execPath, ...args] = argv;
  const child = execa(file, args, { ...OWN_SESSION, env, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' });
  const exited = new Promise<number | null>((resolve) => {
    child.nodeChildProcess.once('exit', (code) => resolve(code));
    child.nodeChildProcess.once('error', () => resolve(null));
  });
  const { pid, stdin, stdout } = child;
  if (pid === undefined)
    throw new Failure('spawn', `cannot start ${file}: too many open files (EMFILE)`, {
      exit: EXIT.lacking,
      hint: SYSTEM_HINTS['EMFILE'] ?? '',
    });
  // execa lets the output of a process flow away where it is not read at once.
  stdout.pause();
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined);
  const hold = (how: 'ref' | 'unref') => {
    child.nodeChildProcess[how]();
    for (const stream of [stdin, stdout]) if (stream instanceof Socket) stream[how]();
  };
  return {
    pid,
    output: stdout,
    exited,
    send: (...messages) => {
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
      if (stdin.writable && lines.length > 0) stdin.write(lines.join(''));
    },
    endInput: () => stdin.end(),
    kill: () => {
      child.kill('SIGKILL');
    },
    unref: () => hold('unref'),
    ref: () => hold('ref'),
  };
}
