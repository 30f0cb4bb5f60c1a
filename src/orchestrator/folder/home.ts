import { resolve } from 'node:path';
import { homeFolder } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';

/** Returns the folder of all devnets, absolute. */
export function homeOf(io: Io): string {
  return resolve(io.cwd, homeFolder(io.env));
}
