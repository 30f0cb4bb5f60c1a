import { join } from 'node:path';

const VARIABLE = 'NODE_COMPILE_CACHE';
const STORE_VARIABLE = 'DEVNET_TEST_COMPILE_CACHE';

/**
 * Gives the workers of the runner a folder for what Node compiles of the runner and of packages.
 * A tenth of their processor time is compilation. Node reads the variable when a process starts.
 */
export function useCompileCache(): void {
  if (process.env[VARIABLE] !== undefined) return;
  const folder = join(process.env['TMPDIR'] ?? '', 'compile-cache');
  process.env[STORE_VARIABLE] = folder;
  process.env[VARIABLE] = folder;
}

/** Environment of a program that many tests start: it compiles once in a run of the suite. */
export function compilesOnce(): Readonly<Record<string, string>> {
  const folder = process.env[STORE_VARIABLE];
  return folder === undefined ? {} : { [VARIABLE]: folder };
}

// In a worker of the runner: the programs that its tests start have the variable only if they are given it.
if (process.env[STORE_VARIABLE] !== undefined) delete process.env[VARIABLE];
