import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOrCreateJwtSecret, writeAtomic } from '../../src/system/files.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'files-'));

it('creates a JWT secret that only its owner reads, and reads the same one again', () => {
  const path = join(folder(), 'deep', 'jwt.hex');
  const secret = readOrCreateJwtSecret(path);
  expect(secret).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readOrCreateJwtSecret(path)).equals(secret)).toBe(true);
});

it.each([
  ['too short', 'ab', 0o600, 'expected 32 bytes in hex'],
  ['no hex', 'z'.repeat(64), 0o600, 'expected 32 bytes in hex'],
  ['readable by others', 'ab'.repeat(32), 0o644, 'readable by others (mode 644)'],
])('refuses a JWT secret that is %s', (_, text, mode, words) => {
  const path = join(folder(), 'jwt.hex');
  writeFileSync(path, text);
  chmodSync(path, mode);
  expect(() => readOrCreateJwtSecret(path)).toThrow(words);
});

it('replaces a file whole and leaves nothing beside it, also when it fails', () => {
  const where = folder();
  writeAtomic(join(where, 'a'), 'one');
  writeAtomic(join(where, 'a'), 'two');
  expect(readFileSync(join(where, 'a'), 'utf8')).toBe('two');
  expect(() => writeAtomic(join(where, 'a', 'b'), 'x')).toThrow();
  expect(readdirSync(where)).toEqual(['a']);
});
