import { join } from 'node:path';
import { trim } from '../system/cache.ts';
import { namesIn, privateFolder, readBytes, remove, replaceFile } from '../system/folder.ts';

/** Compiled code of a program, as a file. */
export interface CompiledCode {
  /** undefined where there is none, or where it is not what was written: V8 runs whatever it is given. */
  read(): Buffer | undefined;
  /** Replaces it, and removes what other builds kept of this program. Where it cannot be written, only the next start is slower. */
  write(code: Buffer): void;
}

/**
 * The code is written twice: what has changed since differs in one half. To compare them takes half a millisecond, a hash would take two, and five
 * more where nothing else of the program needs Node's crypto.
 */
export function compiledCode(folder: string, program: string, build: string): CompiledCode {
  const prefix = `${program}.`;
  const name = `${prefix}${process.version}.${build}`;
  return {
    read() {
      const bytes = readBytes(join(folder, name));
      if (bytes === undefined || bytes.length === 0 || bytes.length % 2 > 0) return undefined;
      const code = bytes.subarray(0, bytes.length / 2);
      return code.equals(bytes.subarray(bytes.length / 2)) ? code : undefined;
    },
    write(code) {
      try {
        privateFolder(folder);
        replaceFile(join(folder, name), Buffer.concat([code, code]));
        for (const other of namesIn(folder))
          if (other.startsWith(prefix) && other !== name) remove(join(folder, other));
        trim(folder);
      } catch {
        // Without it, only the next start is slower.
      }
    },
  };
}
