import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readOrCreateJwtSecret } from '../../../src/system/crypto/jwt-secret.ts';
import { quietEnvironment } from '../../quiet-environment.ts';

const MODULE = join(import.meta.dirname, '..', '..', '..', 'src', 'system', 'crypto', 'jwt-secret.ts');
const quiet = () => {};
const folder = () => mkdtempSync(join(tmpdir(), 'jwt-'));

it('a JWT secret is created for its owner alone, and read again', () => {
  const path = join(folder(), 'deep', 'jwt.hex');
  const secret = readOrCreateJwtSecret(path, quiet);
  expect(secret).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readOrCreateJwtSecret(path, quiet)).equals(secret)).toBe(true);
});

it.each([
  ['too short', 'ab'],
  ['no hex', 'z'.repeat(64)],
])('a JWT secret is refused when it is %s', (_, text) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, text);
  expect(() => readOrCreateJwtSecret(path, quiet)).toThrow('expected 32 bytes in hex');
});

it.each([
  [0o600, []],
  [0o644, ['readable by others (mode 644)']],
  [0o640, ['readable by others (mode 640)']],
])('a JWT secret of mode %o is read, with a warning if others can read it', (mode, words) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, 'ab'.repeat(32));
  chmodSync(path, mode);
  const warnings: string[] = [];
  expect(readOrCreateJwtSecret(path, (message) => warnings.push(message))).toEqual(Buffer.alloc(32, 0xab));
  expect(warnings).toEqual(words.map((part) => expect.stringContaining(part)));
});

it.each(['', '\n', '  \n'])('a JWT secret file that holds %j is refused and left as it is', (text) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, text);
  expect(() => readOrCreateJwtSecret(path, quiet)).toThrow('expected 32 bytes in hex (64 digits), found an empty file');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('an empty JWT secret file is filled when the option asks for it', () => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, '\n', { mode: 0o600 });
  const secret = readOrCreateJwtSecret(path, quiet, 'filled');
  expect(readFileSync(path, 'utf8')).toBe(Buffer.from(secret).toString('hex'));
});

it.each(['', '0x', '0X'])('a JWT secret is read behind the prefix %j', (prefix) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, `${prefix}${'aB'.repeat(32)}\n`, { mode: 0o600 });
  expect(readOrCreateJwtSecret(path, quiet)).toEqual(Buffer.alloc(32, 0xab));
});

it.each([
  ['no file', 'refused'],
  ['an empty file', 'filled'],
] as const)('programs that find %s at once get the same JWT secret', { timeout: 60_000 }, async (_, empty) => {
  for (let round = 0; round < 3; round++) {
    const [path, start] = ['jwt.hex', 'start'].map((name) => join(folder(), name)) as [string, string];
    if (empty === 'filled') writeFileSync(path, '', { mode: 0o600 });
    // Each says that it runs, and then looks for the file that starts them all.
    const script = `import { existsSync } from 'node:fs';
      import { readOrCreateJwtSecret } from ${JSON.stringify(MODULE)};
      console.log('here');
      while (!existsSync(${JSON.stringify(start)}));
      console.log(Buffer.from(readOrCreateJwtSecret(${JSON.stringify(path)}, () => {}, '${empty}')).toString('hex'));`;
    const programs = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: quietEnvironment,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      const here = new Promise<void>((resolve) =>
        child.stdout.on('data', (data) => {
          text += data;
          resolve();
        }),
      );
      return {
        here,
        output: new Promise<string>((resolve) => child.on('close', () => resolve(text.split('\n')[1] ?? ''))),
      };
    });
    await Promise.all(programs.map(({ here }) => here));
    writeFileSync(start, '');
    const secrets = new Set(await Promise.all(programs.map(({ output }) => output)));
    expect([...secrets]).toEqual([readFileSync(path, 'utf8')]);
    expect(readdirSync(dirname(path))).toEqual(['jwt.hex']);
  }
});
