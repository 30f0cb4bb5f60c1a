import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, messageOf } from '../failure.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** Whether the source runs: this module is in `src/system/program`, not in `dist/programs` or `dist/library`. */
const isSource = basename(here) === 'program';

/** Returns the package's folder, which holds `templates` and `devnets`. */
export function packageRoot(): string {
  return isSource ? dirname(dirname(dirname(here))) : dirname(dirname(here));
}

/** Returns the script of one of the package's programs: its bundle, or its source if the source runs. */
export function entryPoint(name: string): string {
  return isSource ? join(packageRoot(), 'src', 'bin', `${name}.ts`) : join(packageRoot(), 'dist', `${name}.js`);
}

/** Reads a file that the build wrote, by its path in `dist`. @throws Failure `build` that names it */
export function builtFile(...path: string[]): Uint8Array<ArrayBuffer> {
  const file = join(packageRoot(), 'dist', ...path);
  try {
    return Uint8Array.from(readFileSync(file));
  } catch (cause) {
    const message = `cannot read ${file}, a file of this package: ${messageOf(cause)}`;
    throw new Failure('build', message, { hint: 'install the package again; in a clone: make build', cause });
  }
}
