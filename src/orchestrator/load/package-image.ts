import { join } from 'node:path';
import { readText } from '../../system/files/folder.ts';
import { BUILD } from '../../system/program/build.ts';
import { packageRoot } from '../../system/program/entry.ts';

/** Returns the name of the package's own container image. Each build of the package has its own. */
export function packageImage(): string {
  const { version } = JSON.parse(readText(join(packageRoot(), 'package.json')) ?? '{}') as { version?: string };
  return `rollup-devnet:${version ?? '0'}-${BUILD?.slice(0, 12) ?? 'source'}`;
}
