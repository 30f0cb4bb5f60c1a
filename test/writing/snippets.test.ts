import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const examples = join(root, 'examples', 'vitest');

it('every code block of the page about tests is a file of the example, which a test runs from the tarball', () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'test.md'), 'utf8');
  const blocks = [...page.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, text]) => text);
  const files = readdirSync(examples)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(examples, file), 'utf8'));
  expect(blocks.toSorted()).toEqual(files.toSorted());
});
