import { join } from 'node:path';
import { exists } from '../system/folder.ts';

/**
 * Returns the script that a program runs: a command's own script where it has one.
 * A command that every start waits for has one, which is a quarter of the program's size.
 */
export function programFile(dist: string, program: string, word: string): string {
  const own = join(dist, 'programs', `${program}-${word}.cjs`);
  return /^[a-z]+$/.test(word) && exists(own) ? own : join(dist, 'programs', `${program}.cjs`);
}
