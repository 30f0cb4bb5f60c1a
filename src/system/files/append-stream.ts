import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { makeFolders } from './folder.ts';

/** A file that is written at its end. */
export interface Appended {
  readonly stream: NodeJS.WritableStream;
  /** Calls back with each piece of text. */
  watch(onText: (text: string) => void): void;
  /** Ends the file once, and calls back when all is written. */
  end(done: () => void): void;
}

/** Opens a private log for appending. A write that fails drops what it could not write. */
export function appendTo(path: string): Appended {
  makeFolders(dirname(path));
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', () => undefined);
  const watchers: ((text: string) => void)[] = [];
  const stream = new Transform({
    transform(chunk: Buffer, _, next) {
      for (const onText of watchers) onText(chunk.toString());
      if (file.destroyed || file.write(chunk)) next();
      else file.once('drain', next).once('error', () => next());
    },
  });
  let isEnded = false;
  return {
    stream,
    watch: (onText) => void watchers.push(onText),
    end(done) {
      if (isEnded) return;
      isEnded = true;
      stream.end();
      stream.resume();
      stream.once('end', () => (file.destroyed ? done() : file.end(done)));
    },
  };
}
