import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { execa } from 'execa';
import { EXIT, Failure, SYSTEM_HINTS } from '../failure.ts';
import { MESSAGE_PIPES } from '../program/starter-pipes.ts';
import { OWN_SESSION } from './own-session.ts';

/** A process of our own package in a session of its own. It reads and writes lines of JSON on a message pipe. */
export interface PipedProcess {
  readonly pid: number;
  /** The output of the process on its message pipe, paused until it is read. Its end is not that of the process. */
  readonly output: Socket;
  readonly exited: Promise<number | null>;
  /** Sends messages in one write. They are lost if the process is gone. */
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
 * Starts a process with message pipes to it (see `pipesToStarter`). Its standard streams are discarded.
 * @throws Failure `spawn` (exit 4) if no more files can be opened
 */
export function startPiped(argv: readonly string[], env: Readonly<Record<string, string>>): PipedProcess {
  const [file = process.execPath, ...args] = argv;
  const child = execa(file, args, { ...OWN_SESSION, env, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
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
  const input = pipeOf(child.nodeChildProcess.stdio, MESSAGE_PIPES.toProcess);
  const output = pipeOf(child.nodeChildProcess.stdio, MESSAGE_PIPES.toStarter);
  // execa lets the output of a process flow away if it is not read at once.
  output.pause();
  for (const pipe of [input, output]) pipe.on('error', () => undefined);
  const hold = (how: 'ref' | 'unref') => {
    child.nodeChildProcess[how]();
    input[how]();
    output[how]();
  };
  return {
    pid,
    output,
    exited,
    send: (...messages) => {
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
      if (input.writable && lines.length > 0) input.write(lines.join(''));
    },
    endInput: () => input.end(),
    kill: () => {
      child.kill('SIGKILL');
    },
    unref: () => hold('unref'),
    ref: () => hold('ref'),
  };
}

function pipeOf(stdio: ChildProcess['stdio'], fd: 3 | 4): Socket {
  const stream = stdio[fd];
  if (stream instanceof Socket) return stream;
  throw new Error(`descriptor ${fd} of a started process is not a pipe`);
}
