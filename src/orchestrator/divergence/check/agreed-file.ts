import { join } from 'node:path';
import { readText, replaceFile } from '../../../system/files/folder.ts';
import type { Paths } from '../../state/paths.ts';
import type { Agreed } from './check.ts';

/** Reads the last blocks on which all nodes agreed; empty where there are none. */
export function readAgreed(paths: Paths): Agreed {
  try {
    return JSON.parse(readText(fileOf(paths)) ?? '{}') as Agreed;
  } catch {
    return {};
  }
}

/** Stores the blocks for the next check. */
export function writeAgreed(paths: Paths, agreed: Agreed): void {
  replaceFile(fileOf(paths), JSON.stringify(agreed));
}

function fileOf({ folder }: Paths): string {
  return join(folder, 'agreed.json');
}
