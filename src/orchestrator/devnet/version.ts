import { join } from 'node:path';
import { readJson } from '../../system/files/atomic-write.ts';
import { packageRoot } from '../../system/program/entry.ts';

/** Returns the version of this package. */
export function version(): string {
  return (readJson(join(packageRoot(), 'package.json')) as { version: string }).version;
}
