import { join } from 'node:path';
import { exists } from '../system/folder.ts';

/**
 * The script that a program runs. A command may have one of its own, named after both: one that every start of a network waits for reads a quarter of
 * what the whole program would.
 */
export function programFile(dist: string, program: string, word: string): string {
  const own = join(dist, 'programs', `${program}-${word}.cjs`);
  return /^[a-z]+$/.test(word) && exists(own) ? own : join(dist, 'programs', `${program}.cjs`);
}
