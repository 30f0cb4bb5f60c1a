import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exists, privateFolder, readText, replaceFile } from '../../system/folder.ts';
import type { Source } from '../spec/source.ts';
import { type PackedTree, packTree, unpackTree } from '../spec/tree-json.ts';
import { type ParsedYaml, parseYaml } from '../spec/yaml.ts';

/** Changes when what is kept changes its form. */
const FORMAT = 1;

/**
 * Reads YAML as `parseYaml` does, and keeps the trees of texts without a fault: the same templates are read at every start, and parsing them takes
 * longer than planning. `home` is the folder of all devnets; where there is none yet, or it cannot be written, nothing is kept.
 */
export function cachedYaml(home: string): (source: Source) => ParsedYaml {
  return (source) => {
    const key = createHash('sha256').update(`${FORMAT} ${source.text}`).digest('hex');
    const folder = join(home, '.cache', 'yaml');
    const file = join(folder, `${key}.json`);
    const known = readKept(file);
    if (known !== undefined) return { tree: unpackTree(known, source), problems: [] };
    const parsed = parseYaml(source);
    if (parsed.tree !== undefined && parsed.problems.length === 0 && exists(home))
      keep(folder, file, packTree(parsed.tree));
    return parsed;
  };
}

function readKept(file: string): PackedTree | undefined {
  const text = readText(file);
  // The last byte is written last: what was cut off is read anew.
  if (text === undefined || !text.endsWith(']\n')) return undefined;
  try {
    return JSON.parse(text) as PackedTree;
  } catch {
    return undefined;
  }
}

function keep(folder: string, file: string, tree: PackedTree): void {
  try {
    privateFolder(folder);
    replaceFile(file, `${JSON.stringify(tree)}\n`);
  } catch {
    // Only the next start is slower.
  }
}
