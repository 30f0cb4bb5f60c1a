import type { Writable } from 'node:stream';

const ignore = () => undefined;

/** Writes to a stream of this process and ignores a reader that is gone (EPIPE). */
export function quietWriter(stream: NodeJS.WriteStream): (text: string) => void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  return (text) => {
    if (stream.writable) stream.write(text);
  };
}

/**
 * Resolves with the exit code when both output streams are written out or their reader is gone.
 * A process that exits earlier loses what does not fit into a pipe.
 */
export async function flushed(code: number): Promise<number> {
  await Promise.all([process.stdout, process.stderr].map(drained));
  return code;
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) return resolve();
    stream.once('error', () => resolve()).once('close', () => resolve());
    stream.write('', () => resolve());
  });
}
