import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Home, root, run } from './devnet.ts';
import { projectWith, vitest } from './support/library.ts';

const SPEC = { version: 1, name: 'late', ports: 'auto', chains: { main: { proposer: false } } };

it('the fixture of vitest ends what a test began when the test ends', async () => {
  await using home = new Home();
  await home.up(home.spec('late', SPEC));
  const packages = join(home.folder, 'packages');
  mkdirSync(packages);
  symlinkSync(root, join(packages, 'rollup-devnet'));
  const project = projectWith(home, 'late-tests', join(packages, 'rollup-devnet'));
  cpSync(join(root, 'test', 'fixtures', 'consumer', 'times-out.test.ts'), join(project, 'times-out.test.ts'));
  const env = { ...home.env, DEVNET_NAME: 'late' };
  const printed = await vitest(project, env, '--reporter=tap-flat', 'times-out').catch(String);
  const results = [...printed.matchAll(/^(ok|not ok) \d+ - (?:.* > )?([^#\n]*?) #/gm)];
  expect(Object.fromEntries(results.map(([, result, title]) => [title, result]))).toEqual({
    'a start': 'not ok',
    'a body that begins after the end': 'not ok',
    warp: 'not ok',
    increaseTime: 'not ok',
    mine: 'not ok',
    'increaseTime on L1': 'not ok',
    'mine on L1': 'not ok',
    'a loop of reorganisations': 'not ok',
    run: 'not ok',
    'a loop of warps': 'not ok',
    'a kill after the end': 'not ok',
    'a network is removed when the test does not await it': 'ok',
    'the next test has the clock': 'ok',
  });
  expect(printed).not.toContain('is under way');
});

it('the fixture of node:test ends what a test began when the test ends', async () => {
  await using home = new Home();
  const program = join(root, 'test', 'fixtures', 'programs', 'late-node-test.mjs');
  const library = new URL(`file://${join(root, 'dist', 'library', 'node-test.mjs')}`).href;
  const env = { ...home.env, NODE_TEST_CONTEXT: undefined };
  const printed = await run(process.execPath, ['--test-reporter=tap', program, library], env).catch(String);
  const results = [...printed.matchAll(/^ *(ok|not ok) \d+ - (.*)$/gm)];
  expect(Object.fromEntries(results.map(([, result, title]) => [title, result]))).toEqual({
    warp: 'not ok',
    increaseTime: 'not ok',
    'increaseTime on L1': 'not ok',
    'within the group': 'ok',
    'a group': 'not ok',
    'the next test has the clock': 'ok',
  });
  expect(printed).not.toContain('is under way');
});
