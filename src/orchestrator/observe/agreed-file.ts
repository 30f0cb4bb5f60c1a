import { join } from 'node:path';
import { readText, replaceFile } from '../../system/folder.ts';
import type { Paths } from '../run/paths.ts';
import type { Agreed } from './check.ts';

/** Where the nodes of a devnet were last seen to agree; empty where they never were. */
export function readAgreed(paths: Paths): Agreed {
  try {
    return JSON.parse(readText(fileOf(paths)) ?? '{}') as Agreed;
  } catch {
    return {};
  }
}

/** Keeps it for the next check. */
export function writeAgreed(paths: Paths, agreed: Agreed): void {
  replaceFile(fileOf(paths), JSON.stringify(agreed));
}

function fileOf({ folder }: Paths): string {
  return join(folder, 'agreed.json');
}
