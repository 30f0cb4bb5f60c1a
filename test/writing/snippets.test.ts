import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

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

it('the page about CI has both samples, and they use inputs that the action has', () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'ci.md'), 'utf8');
  const [github, gitlab] = ['github.yml', 'gitlab.yml'].map((name) =>
    readFileSync(join(root, 'examples', 'ci', name), 'utf8'),
  );
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(blocks).toContain(github);
  expect(blocks).toContain(gitlab);
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { readonly inputs: object };
  const used = blocks.flatMap((text = '') => [...text.matchAll(/^ {10}([\w-]+):/gm)].map(([, name]) => name));
  expect(used.length).toBeGreaterThan(2);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(used));
});

it('every code block of the page about contracts is a file of an example, which `make examples` runs', () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'contracts.md'), 'utf8');
  const blocks = [...page.matchAll(/```(?:ts|js|toml|yaml|solidity)\n([\s\S]*?)```/g)].map(([, text]) => text);
  const files = ['foundry', 'hardhat', 'viem'].flatMap((name) =>
    readdirSync(join(root, 'examples', name), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((file) => file.isFile())
      // The line for editors is not on the page.
      .map((file) =>
        readFileSync(join(file.parentPath, file.name), 'utf8').replace(/^# yaml-language-server: .*\n/, ''),
      ),
  );
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter((text = '') => !files.includes(text))).toEqual([]);
});
