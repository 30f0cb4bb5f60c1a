import { join } from 'node:path';
import { trim } from '../system/cache.ts';
import { namesIn, privateFolder, readBytes, remove, replaceFile } from '../system/folder.ts';

/** The code cache of one program. */
export interface CompiledCode {
  /** Returns undefined where there is none or the file is damaged: V8 runs any bytes that it is given. */
  read(): Buffer | undefined;
  /** Replaces the code and removes that of other builds. Ignores errors, because only the next start gets slower. */
  write(code: Buffer): void;
}

/**
 * Opens the code cache of a program. The file holds the code twice, so that damage shows as a difference.
 * Comparing takes 0.5 ms. A hash would take 2 ms, and 5 more where the program does not use Node's crypto otherwise.
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
        // Only the next start is slower.
      }
    },
  };
}
