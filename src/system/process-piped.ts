import type { Socket } from 'node:net';
import { execa } from 'execa';
import { EXIT, Failure, SYSTEM_HINTS } from './failure.ts';
import { MESSAGE_PIPE } from './message-pipe.ts';
import { OWN_SESSION } from './own-session.ts';

/** A process of our own package in a session of its own. It reads and writes lines of JSON on a message pipe. */
export interface PipedProcess {
  readonly pid: number;
  /** What the process writes to its message pipe, paused until it is read. Its end is not that of the process. */
  readonly output: Socket;
  readonly exited: Promise<number | null>;
  /** Sends messages in one write. They are lost where the process is gone. */
  send(...messages: readonly unknown[]): void;
  /** Ends the messages to the process. */
  endInput(): void;
  kill(): void;
  /** Lets this process end while the other runs on. */
  unref(): void;
  /** Keeps this process alive again until the other ends. */
  ref(): void;
}

/**
 * Starts a process with a message pipe to it (see `pipeToStarter`). Its standard streams are discarded.
 * @throws Failure `spawn` (exit 4) where no more files can be opened
 */
export function startPiped(argv: readonly string[], env: Readonly<Record<string, string>>): PipedProcess {
  const [file = process.execPath, ...args] = argv;
  const child = execa(file, args, { ...OWN_SESSION, env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => {
    child.nodeChildProcess.once('exit', (code) => resolve(code));
    child.nodeChildProcess.once('error', () => resolve(null));
  });
  const { pid } = child;
  if (pid === undefined)
    throw new Failure('spawn', `cannot start ${file}: too many open files (EMFILE)`, {
      exit: EXIT.lacking,
      hint: SYSTEM_HINTS['EMFILE'] ?? '',
    });
  const pipe = child.nodeChildProcess.stdio[MESSAGE_PIPE] as Socket;
  // execa lets the output of a process flow away where it is not read at once.
  pipe.pause();
  pipe.on('error', () => undefined);
  const hold = (how: 'ref' | 'unref') => {
    child.nodeChildProcess[how]();
    pipe[how]();
  };
  return {
    pid,
    output: pipe,
    exited,
    send: (...messages) => {
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
      if (pipe.writable && lines.length > 0) pipe.write(lines.join(''));
    },
    endInput: () => pipe.end(),
    kill: () => {
      child.kill('SIGKILL');
    },
    unref: () => hold('unref'),
    ref: () => hold('ref'),
  };
}
