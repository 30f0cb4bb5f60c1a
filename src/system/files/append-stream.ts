import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { makeFolders } from './folder.ts';

/** A file that is written at its end. */
export interface Appended {
  readonly stream: NodeJS.WritableStream;
  /** Calls back with each piece of text. */
  watch(seen: (text: string) => void): void;
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
      for (const seen of watchers) seen(chunk.toString());
      if (file.destroyed || file.write(chunk)) next();
      else file.once('drain', next).once('error', () => next());
    },
  });
  let ended = false;
  return {
    stream,
    watch: (seen) => void watchers.push(seen),
    end(done) {
      if (ended) return;
      ended = true;
      stream.end();
      stream.resume();
      stream.once('end', () => (file.destroyed ? done() : file.end(done)));
    },
  };
}
