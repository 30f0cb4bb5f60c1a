import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all files below a folder, sorted. Empty if there is none. */
export function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
}

/** Returns the number of folders below a folder. */
export function foldersBelow(path: string): number {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
}

/** Limits of a listing of a folder that the user names. */
export interface ListingLimits {
  /** Folders below each other. */
  readonly depth: number;
  /** Entries that are looked at. */
  readonly entries: number;
}

/** A regular file with what tells two versions of it apart. */
export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Lists regular files below a folder, sorted. Links are not followed, so that the walk ends. */
export function regularFilesBelow(
  root: string,
  limits: ListingLimits,
  fits: (name: string) => boolean,
): { readonly files: readonly ListedFile[]; readonly isComplete: boolean } {
  const files: ListedFile[] = [];
  let left = limits.entries;
  let isComplete = true;
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      left -= 1;
      if (left < 0) isComplete = false;
      if (left < 0) return;
      const path = join(folder, entry.name);
      if (entry.isFile() && fits(entry.name)) files.push(...listed(path));
      if (!entry.isDirectory()) continue;
      if (depth < limits.depth) walk(path, depth + 1);
      else isComplete = false;
    }
  };
  walk(root, 1);
  return { files, isComplete };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

function listed(path: string): readonly ListedFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path, size: stats.size, modifiedMs: stats.mtimeMs }];
}
