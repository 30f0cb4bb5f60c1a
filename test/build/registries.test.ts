import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { renderRegistries } from '../../src/build/registries.ts';

const src = resolve(import.meta.dirname, '../../src');
const registries = renderRegistries(src).map(({ file, text }) => [file, text] as const);

it.each(registries)('%s names each file of its folder', (file, text) => {
  const message = `src/${file} is not what its folder has: run \`make build\` and commit the file`;
  expect(readFileSync(join(src, file), 'utf8'), message).toBe(text);
});
