import { join } from 'node:path';
import { packageRoot } from '../../system/entry.ts';
import { readJson } from '../../system/files.ts';

/** Returns the version of this package. */
export function version(): string {
  return (readJson(join(packageRoot(), 'package.json')) as { version: string }).version;
}
