import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Returns the package's folder, which holds `templates` and `devnets`.
 * This module runs from `src/system` or `dist/programs`.
 */
export function packageRoot(): string {
  return dirname(dirname(here));
}

/** Returns the script of one of the package's programs: its bundle, or its source where the source runs. */
export function entryPoint(name: string): string {
  return basename(here) === 'system'
    ? join(packageRoot(), 'src', 'bin', `${name}.ts`)
    : join(packageRoot(), 'dist', `${name}.js`);
}
