import { dirname } from 'node:path';
import { messageOf } from '../../system/failure.ts';
import { type FoundSpec, folderSpec } from '../load/find-spec.ts';
import { sample, sampleNames, source } from '../load/package-files.ts';
import { at } from '../spec/schema/json.ts';
import { readStack } from '../spec/text/layers.ts';
import type { Problem } from '../spec/text/problem.ts';
import { parseYaml } from '../spec/text/yaml.ts';
import type { FolderDevnet } from '../terminal/io.ts';

/** Reads the name that a folder's spec or its base gives, without checks of the rest. Undefined without a spec. */
export function folderDevnet(cwd: string): FolderDevnet | undefined {
  try {
    const spec = folderSpec(cwd);
    return spec && nameIn(spec, cwd);
  } catch (error) {
    return { kind: 'unreadable', problem: messageOf(error) };
  }
}

function nameIn({ source: text, name }: FoundSpec, cwd: string): FolderDevnet {
  const problems: Problem[] = [];
  const stack = readStack(
    {
      source: text,
      sets: [],
      cwd,
      baseNames: sampleNames(),
      base: (base) => sample(base) ?? source(dirname(text.path ?? cwd), base),
      parseYaml,
    },
    problems,
  );
  const [first] = problems;
  if (stack === undefined || first !== undefined)
    return {
      kind: 'unreadable',
      problem: first === undefined ? 'no YAML' : `${first.line}:${first.column} ${first.message}`,
    };
  const value = at(stack.value, ['name']);
  if (value === undefined || value === null) return { kind: 'named', name };
  if (typeof value === 'string') return { kind: 'named', name: value };
  return { kind: 'unreadable', problem: `its name is ${JSON.stringify(value)}, expected text` };
}
