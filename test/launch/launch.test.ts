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
import { basename, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledCode } from '../../src/launch/compiled-code.ts';
import { programFile } from '../../src/launch/program-file.ts';

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
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout;
}

const kept = () => readdirSync(folder);
const path = () => join(folder, kept()[0]!);

test('a program runs the same with its cached code, which is stored once', () => {
  expect(run()).toBe('7 true object');
  expect(kept()).toEqual([`program-seven.${process.version}.one`]);
  const written = statSync(path()).mtimeMs;
  expect(run()).toBe('7 true object');
  expect(statSync(path()).mtimeMs).toBe(written);
});

test('each command of a program has its own cached code, and an option is no command', () => {
  for (const word of ['init', 'seven', '--seven', '']) run(word);
  expect(kept()).toEqual(['program-init', 'program-seven', 'program'].map((part) => `${part}.${process.version}.one`));
});

test('a command with a script of its own runs that, any other the program', () => {
  mkdirSync(join(home, 'programs'));
  for (const name of ['client', 'client-init']) writeFileSync(join(home, 'programs', `${name}.cjs`), '');
  const file = (word: string) => programFile(home, 'client', word);
  expect(['init', 'import', '--init', '', '../client'].map((word) => basename(file(word)))).toEqual([
    'client-init.cjs',
    ...Array(4).fill('client.cjs'),
  ]);
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
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(status).toBe(4);
  expect(stderr).toContain(`program: cannot use ${file}: `);
  expect(stderr).toContain('the package is damaged: install it again');
  expect(stderr).not.toMatch(/^ +at /m);
});

test("another build's code is removed and not run", () => {
  run();
  expect(run('seven', 'two')).toBe('7 true object');
  expect(kept()).toEqual([`program-seven.${process.version}.two`]);
});

test.each([
  ['one bit of it has changed', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
  ['its hash has changed', (bytes: Buffer) => flip(bytes, 3)],
  ['its end is missing', (bytes: Buffer) => bytes.subarray(0, -100)],
  ['nothing is left of it', () => Buffer.alloc(0)],
])('kept code is not run where %s, and is made anew', (_, change) => {
  run();
  const good = readFileSync(path());
  writeFileSync(path(), change(Buffer.from(good)));
  expect(compiledCode(folder, 'program-seven', 'one').read()).toBeUndefined();
  expect(run()).toBe('7 true object');
  expect(compiledCode(folder, 'program-seven', 'one').read()).toBeDefined();
});

test("another V8's code is replaced and not run", () => {
  const code = compiledCode(folder, 'program-seven', 'one');
  code.write(Buffer.alloc(4096, 7));
  expect(run()).toBe('7 true object');
  expect(code.read()!.equals(Buffer.alloc(4096, 7))).toBe(false);
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
