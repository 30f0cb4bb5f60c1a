import { resolve } from 'node:path';
import { cacheFolder, homeFolder } from '../orchestrator/state/paths.ts';
import { exists } from '../system/files/folder.ts';

/**
 * Returns the folder for compiled code of the package's programs, undefined for none.
 * - With `NODE_COMPILE_CACHE`: that folder.
 * - For the command line: below the devnets' home, if that exists. A command that starts nothing leaves nothing
 *   behind.
 */
export function codeFolder(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | undefined {
  if (env['NODE_COMPILE_CACHE']) return env['NODE_COMPILE_CACHE'];
  if (program !== 'devnet') return undefined;
  try {
    const home = resolve(cwd, homeFolder(env));
    return exists(home) ? cacheFolder(home, 'code') : undefined;
  } catch {
    // The command itself reports a missing home.
    return undefined;
  }
}
