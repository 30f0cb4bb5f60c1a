import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { namesIn, privateFolder, readBytes, remove, replaceFile } from '../system/folder.ts';

/** Compiled code of a program, as a file. */
export interface CompiledCode {
  /** undefined where there is none, or where it is not what was written: V8 runs whatever it is given. */
  read(): Buffer | undefined;
  /** Replaces it, and removes what other builds kept of this program. Where it cannot be written, only the next start is slower. */
  write(code: Buffer): void;
}

const HASH_BYTES = 32;

export function compiledCode(folder: string, program: string, build: string): CompiledCode {
  const prefix = `${program}.`;
  const name = `${prefix}${process.version}.${build}`;
  return {
    read() {
      const bytes = readBytes(join(folder, name));
      if (bytes === undefined || bytes.length < HASH_BYTES) return undefined;
      const code = bytes.subarray(HASH_BYTES);
      return sha256(code).equals(bytes.subarray(0, HASH_BYTES)) ? code : undefined;
    },
    write(code) {
      try {
        privateFolder(folder);
        replaceFile(join(folder, name), Buffer.concat([sha256(code), code]));
        for (const other of namesIn(folder))
          if (other.startsWith(prefix) && other !== name) remove(join(folder, other));
      } catch {
        // As said.
      }
    },
  };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
