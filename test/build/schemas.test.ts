import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const samples = ['devnets', 'devnets/scenarios'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file)),
);

/** Reads the schema that a file's first line names, as an editor does. */
function schemaOf(file: string, text: string) {
  const path = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? '';
  return fromJSONSchema(JSON.parse(readFileSync(resolve(root, dirname(file), path), 'utf8')));
}

it.each(samples)('%s names a schema of the package, which it fits', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const schema = schemaOf(file, text);
  expect(schema.safeParse(parse(text)).error?.message).toBeUndefined();
  expect(schema.safeParse({ ...parse(text), nane: 'x' }).success).toBe(false);
});
