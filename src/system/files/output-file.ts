import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file without a name for the output of one command. Its space is free when the last process closes it. */
export interface OutputFile extends Disposable {
  /** execa's type of descriptors ends at 9. */
  readonly fd: 9;
  /** Bytes. */
  size(): number;
  /** Returns its beginning as UTF-8, at most so many bytes. */
  read(maxBytes: number): string;
}

/** Opens an output file in the temporary folder. Each write appends, so that several processes can share it. */
export function outputFile(): OutputFile {
  const path = join(tmpdir(), `devnet-output-${process.pid}-${crypto.randomUUID()}`);
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600);
  unlinkSync(path);
  const size = () => fstatSync(fd).size;
  return {
    fd: fd as 9,
    size,
    read(maxBytes) {
      const bytes = Buffer.alloc(Math.min(size(), maxBytes));
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}
