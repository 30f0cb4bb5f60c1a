import type { Container } from 'dockerode';
import { asError } from '../../../system/failure.ts';
import { appendTo } from '../../../system/files/append-stream.ts';

/** The output of a container on its way to a file. */
export interface Output {
  /** Resolves when nothing that the container writes can be missed. */
  readonly attached: Promise<void>;
  /** Resolves when the output has ended and is written. */
  readonly end: Promise<void>;
  /** Resolves when a line begins with the awaited words. Rejects if the output ends before. */
  readonly until: Promise<void>;
}

/** Appends what a container writes to a file, from before its start on. */
export function followOutput(container: Container, path: string, marker?: string): Output {
  const end = Promise.withResolvers<void>();
  const until = Promise.withResolvers<void>();
  until.promise.catch(() => undefined);
  const file = appendTo(path);
  if (marker !== undefined)
    file.watch((text) => {
      if (text.includes(marker)) until.resolve();
    });
  const finish = () => {
    file.end(() => end.resolve());
    until.reject(new Error(`the output ended before "${marker}"`));
  };
  const attached = container.attach({ stream: true, stdout: true, stderr: true }).then(
    (stream) => {
      container.modem.demuxStream(stream, file.stream, file.stream);
      stream.once('end', finish).once('close', finish);
      stream.on('error', () => undefined);
    },
    (error: unknown) => {
      finish();
      throw asError(error);
    },
  );
  return { attached, end: end.promise, until: until.promise };
}
