import { createHash } from 'node:crypto';
import { openCache, sha256 } from '../../system/cache.ts';
import { exists } from '../../system/folder.ts';
import { cacheFolder } from '../run/paths.ts';
import type { Source } from '../spec/source.ts';
import { type PackedTree, packTree, unpackTree } from '../spec/tree-json.ts';
import { type ParsedYaml, parseYaml } from '../spec/yaml.ts';

/** Changes when what is kept changes its form. */
const FORMAT = 2;

/**
 * Reads YAML as `parseYaml` does, and keeps the trees of texts without a fault: the same templates are read at every start, and parsing them takes
 * longer than planning. `home` is the folder of all devnets; where there is none yet, or it cannot be written, nothing is kept.
 */
export function cachedYaml(home: string): (source: Source) => ParsedYaml {
  const kept = openCache(cacheFolder(home, 'yaml'), sha256);
  return (source) => {
    const key = createHash('sha256').update(`${FORMAT} ${source.text}`).digest('hex');
    const known = kept.read(key);
    if (known !== undefined)
      return { tree: unpackTree(JSON.parse(known.toString()) as PackedTree, source), problems: [] };
    const parsed = parseYaml(source);
    if (parsed.tree !== undefined && parsed.problems.length === 0 && exists(home))
      kept.write(key, JSON.stringify(packTree(parsed.tree)));
    return parsed;
  };
}
