import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { crc32, openCache } from '../../src/system/files/cache.ts';
import { quietEnvironment } from '../quiet-environment.ts';

const RUN = resolve(import.meta.dirname, '..', '..', 'src', 'launch', 'run.ts');
/** A function long enough for its compiled code to be kept. */
const PADDING = `/*${'-'.repeat(70_000)}*/`;

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devnet-launch-'));
  folder = join(home, 'code');
});
afterEach(() => rmSync(home, { recursive: true }));

/** Runs a program that prints one function's result and its arguments. */
function run(word = 'seven', build = 'one') {
  const file = join(home, 'program.cjs');
  writeFileSync(
    file,
    `(function(exports,require,module,__filename,__dirname){${PADDING}
const seven = () => 6 + 1;
require('node:fs').writeSync(1, [seven(), __filename === ${JSON.stringify(file)}, typeof module.exports].join(' '));
})`,
  );
  const call = { file, name: 'program', build, folder, word };
  const code = `import { runProgram } from ${JSON.stringify(RUN)}; runProgram(${JSON.stringify(call)});`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: quietEnvironment,
  }).stdout;
}

/** Returns the names of the stored entries without size and checksum. */
const stored = () => readdirSync(folder).map((name) => name.replace(/\.\d+-[0-9a-f]+$/, ''));
const path = () => join(folder, readdirSync(folder)[0] ?? '');
const KEY = `program-seven.${process.version}.one`;

test('a program runs the same with its cached code, which is stored once', () => {
  expect(run()).toBe('7 true object');
  expect(stored()).toEqual([KEY]);
  const written = statSync(path()).ino;
  expect(run()).toBe('7 true object');
  expect(statSync(path()).ino).toBe(written);
});

test('each command of a program has its own cached code, and an option is no command', () => {
  for (const word of ['init', 'seven', '--seven', '']) run(word);
  expect(stored()).toEqual(
    ['program-init', 'program-seven', 'program'].map((part) => `${part}.${process.version}.one`),
  );
});

test('a failed program stores no code', () => {
  const file = join(home, 'failing.cjs');
  writeFileSync(file, `(function(exports,require,module){${PADDING}\nprocess.exitCode = 2;\n})`);
  const call = { file, name: 'program', build: 'one', folder, word: 'typo' };
  const code = `import { runProgram } from ${JSON.stringify(RUN)}; runProgram(${JSON.stringify(call)});`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', code]).status).toBe(2);
  expect(existsSync(folder)).toBe(false);
});

test.each<[string, string | undefined]>([
  ['is missing', undefined],
  ['is a folder', ''],
  ['is cut off', '(function(exports,require){require('],
  ['needs a package that is missing', "(function(exports,require){require('no-such-package')})"],
])('a program whose script %s ends with exit code 4, and says what to do', (_, text) => {
  const file = join(home, 'program.cjs');
  if (text === '') mkdirSync(file);
  else if (text !== undefined) writeFileSync(file, text);
  const call = { file, name: 'program', build: 'one', folder, word: '' };
  const code = `import { runProgram } from ${JSON.stringify(RUN)}; runProgram(${JSON.stringify(call)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: quietEnvironment,
  });
  expect(status).toBe(4);
  expect(stderr).toContain(`program: cannot use ${file}: `);
  expect(stderr).toContain('the package is damaged: install it again');
  expect(stderr).not.toMatch(/^ +at /m);
});

test('cached code of another build is not run', () => {
  run();
  expect(run('seven', 'two')).toBe('7 true object');
  expect(stored()).toEqual([KEY, `program-seven.${process.version}.two`]);
});

test.each([
  ['one bit of it has changed', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
  ['its end is missing', (bytes: Buffer) => bytes.subarray(0, -100)],
  ['nothing is left of it', () => Buffer.alloc(0)],
])('cached code is not run when %s, and is compiled again', (_, change) => {
  run();
  const good = readFileSync(path());
  writeFileSync(path(), change(Buffer.from(good)));
  expect(openCache(folder, crc32).read(KEY)).toBeUndefined();
  expect(run()).toBe('7 true object');
  expect(openCache(folder, crc32).read(KEY)).toBeDefined();
});

test('cached code of another V8 is replaced and not run', () => {
  const cache = openCache(folder, crc32);
  const foreign = Buffer.alloc(4096, 7);
  cache.write(KEY, foreign);
  expect(run()).toBe('7 true object');
  expect(cache.read(KEY)?.equals(foreign)).toBe(false);
});

test('a program runs without a cache folder', () => {
  writeFileSync(folder, 'a file');
  expect(run()).toBe('7 true object');
  rmSync(folder);
  mkdirSync(folder, { mode: 0o500 });
  expect(run()).toBe('7 true object');
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}
