import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { terminalText } from './terminal-text.ts';

const ignore = () => undefined;

/** Writes text to a stream of this process (see `terminalText`). Ignores a reader that is gone (EPIPE). */
export function quietWriter(stream: NodeJS.WriteStream): (text: string) => void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  return (text) => {
    if (stream.writable) stream.write(terminalText(text));
  };
}

/**
 * Resolves with the exit code when streams (default: both standard ones) are written out or their reader is gone.
 * `mostMs`: the longest wait, for a reader that may be suspended.
 * A process that exits earlier loses what does not fit into a pipe.
 */
export async function flushOutput(
  code: number,
  streams: readonly Writable[] = [process.stdout, process.stderr],
  mostMs?: number,
): Promise<number> {
  const written = Promise.all(streams.map(drained));
  await (mostMs === undefined ? written : Promise.race([written, sleep(mostMs)]));
  return code;
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) return resolve();
    stream.once('error', () => resolve()).once('close', () => resolve());
    stream.write('', () => resolve());
  });
}
