import { resolve } from 'node:path';
import { cacheFolder, homeFolder } from '../orchestrator/run/paths.ts';
import { exists } from '../system/folder.ts';

/**
 * Where compiled code of the package's programs is kept: where Node is told to keep its own; for the command line, beside the devnets, if there are any
 * already: a command that starts none leaves nothing behind. undefined: nowhere.
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
    // The command says that there is no home.
    return undefined;
  }
}
