import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from './kinds.ts';

/** A file that may hold samples. A result of it counts as long as size and time are these. */
export interface SampleFile {
  /** Relative to the given folder. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Returns the files of a folder that may hold samples, by path. */
export function sampleFiles(folder: string): SampleFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules') && KINDS.some(({ files }) => files.test(path)))
    .sort()
    .flatMap((path) => {
      const stats = statSync(join(folder, path), { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) return [];
      return [{ path, size: stats.size, mtimeMs: stats.mtimeMs }];
    });
}
