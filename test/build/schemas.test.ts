import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const patterns = ['devnets/*.yaml', 'devnets/scenarios/*.yaml', 'templates/*.yaml', 'examples/*/devnet.yaml'];
const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted());

/** The package where the project of an example has it installed. */
const INSTALLED = './node_modules/rollup-devnet/';

/** Reads the schema that a file's first line names, as an editor does. */
function schemaOf(file: string, text: string) {
  const path = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? '';
  const schemaPath = path.startsWith(INSTALLED)
    ? join(root, path.slice(INSTALLED.length))
    : resolve(root, dirname(file), path);
  return fromJSONSchema(JSON.parse(readFileSync(schemaPath, 'utf8')));
}

it.each(files)('%s names a schema of the package, which it fits', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const schema = schemaOf(file, text);
  expect(schema.safeParse(parse(text)).error?.message).toBeUndefined();
  expect(schema.safeParse({ ...parse(text), nane: 'x' }).success).toBe(false);
});

it('the schema registry holds the files of every folder', () => {
  for (const pattern of patterns) expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([]);
});
