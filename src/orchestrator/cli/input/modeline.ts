import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../../../system/program/entry.ts';

/** The line from which editors know the schema of a YAML file. */
const MODELINE = /^# yaml-language-server: \$schema=\S+$/m;

/** Lets the modeline of a sample name the package's schema: relative if it is below the file's folder. */
export function withModeline(text: string, file: string): string {
  const schema = join(packageRoot(), 'dist', 'schema', 'spec.json');
  const near = relative(dirname(file), schema);
  const path = near.startsWith('..') ? schema : near;
  return text.replace(MODELINE, () => `# yaml-language-server: $schema=${path}`);
}
