import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, calledAs } from '../../../src/system/program/called-as.ts';
import { quietEnvironment } from '../../quiet-environment.ts';

/** A project with the package installed, and the machine's folders around it. */
let root: string;
let script: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'called-as-')));
  script = join(root, 'app/node_modules/rollup-devnet/dist/devnet.js');
  for (const folder of ['app/deep', 'app/node_modules/.bin', 'bin', 'other/node_modules/.bin', "an o'dd place"])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, '#!/bin/sh\necho "$@"\n');
  chmodSync(script, 0o755);
  symlinkSync(script, join(root, 'app/node_modules/.bin/devnet'));
  symlinkSync(script, join(root, 'bin/devnet'));
  writeFileSync(join(root, 'other/node_modules/.bin/devnet'), '#!/bin/sh\n');
});
afterAll(() => rmSync(root, { recursive: true }));

const call = (cwd: string, path: readonly string[], more: Partial<Call> = {}) =>
  calledAs({
    ...{ name: 'devnet', script, cwd: join(root, cwd), env: { PATH: path.map((each) => join(root, each)).join(':') } },
    ...more,
  });

it('a program is called by its name when the PATH leads to it', () => {
  expect(call('other', ['none', 'bin'])).toBe('devnet');
  expect(call('app', ['app/node_modules/.bin'])).toBe('devnet');
});

it('a program is called by npx when a folder above has it, whatever npm or make adds to the PATH', () => {
  expect(call('app', [])).toBe('npx devnet');
  expect(call('app/deep', ['other/node_modules/.bin'])).toBe('npx devnet');
  const env = { PATH: join(root, 'app/node_modules/.bin'), npm_config_user_agent: 'npm/11.0.0 node/v24.0.0' };
  expect(call('app', [], { env })).toBe('npx devnet');
  expect(call('app', [], { env: { PATH: env.PATH, MAKELEVEL: '1' } })).toBe('npx devnet');
});

it('a program is called by its path when its name leads to another program or to none', () => {
  expect(call('other', [])).toBe(script);
  expect(call('other', ['other/node_modules/.bin', 'bin'])).toBe(script);
  expect(call('app/node_modules/rollup-devnet', ['other/node_modules/.bin'], {})).toBe('npx devnet');
  expect(call('.', [])).toBe('./app/node_modules/rollup-devnet/dist/devnet.js');
});

it('a path is quoted, and run by node when it is not executable', () => {
  const odd = join(root, "an o'dd place", 'devnet.js');
  writeFileSync(odd, 'console.log("ran")');
  const words = call('.', [], { script: odd });
  expect(words).toBe(`node './an o'\\''dd place/devnet.js'`);
  expect(execFileSync('sh', ['-c', words], { cwd: root, encoding: 'utf8', env: quietEnvironment })).toBe('ran\n');
});
