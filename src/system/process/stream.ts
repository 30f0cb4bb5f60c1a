import type { Duplex } from 'node:stream';
import { execa } from 'execa';

/** Starts a program and returns its input and output as one stream, which its failure destroys with its words. */
export function streamOfProgram(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Duplex {
  const [file = '', ...args] = argv;
  const child = execa(file, args, { env, buffer: { stdout: false }, stripFinalNewline: true });
  child.catch(() => undefined);
  const stream = child.duplex();
  // A program that waits for its other end does not see that its input has ended.
  stream.once('close', () => child.kill());
  return stream;
}
