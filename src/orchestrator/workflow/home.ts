import { resolve } from 'node:path';
import { homeFolder } from '../run/paths.ts';
import type { Io } from './command.ts';

/** Returns the folder of all devnets, absolute. */
export function homeOf(io: Io): string {
  return resolve(io.cwd, homeFolder(io.env));
}
