import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_TEMPLATES } from '../../../src/orchestrator/load/project-templates.ts';
import { root } from '../../e2e/devnet.ts';
import { Tiny } from './tiny.ts';

it.each(PROJECT_TEMPLATES)('`devnet init --template %s` writes a project of that name, once', async (template) => {
  await using tiny = new Tiny();
  const first = await tiny.run('init', '--template', template, '--out', './My Rollup');
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("`cd './My Rollup' && npm install && npm") });
  const folder = join(tiny.folder, 'My Rollup');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'my-rollup',
    private: true,
    scripts: { test: expect.any(String) },
    devDependencies: { 'rollup-devnet': `file:${root}` },
  });
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(written.filter((name) => /node_modules|package-lock/.test(name))).toEqual([]);
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('node_modules/');
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(page).toContain('npm install\nnpm test\n');
  const [, docs = ''] = /node_modules\/rollup-devnet\/(docs\/[\w/-]+\.md)/.exec(page) ?? [];
  expect(existsSync(join(root, docs)), docs).toBe(true);

  const again = await tiny.run('init', '--template', template, '--out', './My Rollup');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already, and nothing was written') });
});

it.each(['vitest', 'hardhat'])('a project of %s brings the Node that its test runner needs', async (template) => {
  await using tiny = new Tiny();
  await tiny.run('init', '--template', template);
  const { devDependencies } = JSON.parse(readFileSync(join(tiny.folder, 'package.json'), 'utf8'));
  expect(devDependencies).toHaveProperty('node');
});

it('a project is not written over a file, and no part of it either', async () => {
  await using tiny = new Tiny();
  writeFileSync(join(tiny.folder, 'package.json'), '{}');
  const { code, stderr } = await tiny.run('init', '--template', 'vitest');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('package.json in .: exists already') });
  expect(readFileSync(join(tiny.folder, 'package.json'), 'utf8')).toBe('{}');
  expect(existsSync(join(tiny.folder, 'vitest.config.ts'))).toBe(false);
});

it.each([
  [['--template', 'truffle'], /vitest, foundry, hardhat, scenario/],
  [['default', '--template', 'vitest'], /expected a sample or --template, found both/],
])('`devnet init %s` is refused', async (words, description) => {
  await using tiny = new Tiny();
  const { code, stderr } = await tiny.run('init', ...words);
  expect(code).toBe(2);
  expect(stderr).toMatch(description);
});

it('a project of foundry ends with the exit code of forge', async () => {
  await using tiny = new Tiny();
  await tiny.run('init', '--template', 'foundry');
  symlinkSync(join(root, 'node_modules'), join(tiny.folder, 'node_modules'));
  expect(JSON.parse(readFileSync(join(tiny.folder, 'package.json'), 'utf8')).scripts.test).toContain('node forge.mjs');
  const codeOf = (word: string) => tiny.startProgram([process.execPath, 'forge.mjs', word]).closed;
  expect(await codeOf('--version')).toMatchObject({ code: 0 });
  expect(await codeOf('no-such-command')).toMatchObject({ code: 2 });
});
