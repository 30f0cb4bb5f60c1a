import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOrCreateJwtSecret, writeAtomic } from '../../src/system/files.ts';

const quiet = () => {};
const folder = () => mkdtempSync(join(tmpdir(), 'files-'));

it('creates a JWT secret that only its owner reads, and reads the same one again', () => {
  const path = join(folder(), 'deep', 'jwt.hex');
  const secret = readOrCreateJwtSecret(path, quiet);
  expect(secret).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readOrCreateJwtSecret(path, quiet)).equals(secret)).toBe(true);
});

it.each([
  ['too short', 'ab'],
  ['no hex', 'z'.repeat(64)],
])('refuses a JWT secret that is %s', (_, text) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, text);
  expect(() => readOrCreateJwtSecret(path, quiet)).toThrow('expected 32 bytes in hex');
});

it.each([
  [0o600, []],
  [0o644, ['readable by others (mode 644)']],
  [0o640, ['readable by others (mode 640)']],
])('reads a JWT secret of mode %o, with a warning where others can read it', (mode, words) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, 'ab'.repeat(32));
  chmodSync(path, mode);
  const warnings: string[] = [];
  expect(readOrCreateJwtSecret(path, (message) => warnings.push(message))).toEqual(Buffer.alloc(32, 0xab));
  expect(warnings).toEqual(words.map((part) => expect.stringContaining(part)));
});

it('replaces a file whole and leaves nothing beside it, also when it fails', () => {
  const where = folder();
  writeAtomic(join(where, 'a'), 'one');
  writeAtomic(join(where, 'a'), 'two');
  expect(readFileSync(join(where, 'a'), 'utf8')).toBe('two');
  expect(() => writeAtomic(join(where, 'a', 'b'), 'x')).toThrow();
  expect(readdirSync(where)).toEqual(['a']);
});
