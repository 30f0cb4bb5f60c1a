import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crc32, isIntact, openCache, sha256, trim } from '../../../src/system/files/cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at * 7));

/** The kinds of damage to an existing file. */
const DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ['cut off', (path) => truncateSync(path, CONTENT.length - 1)],
  ['empty', (path) => truncateSync(path, 0)],
  ['all zeros', (path) => writeFileSync(path, Buffer.alloc(CONTENT.length))],
  ['one bit off', (path) => writeFileSync(path, flipped(readFileSync(path)))],
  ['longer', (path) => writeFileSync(path, Buffer.concat([CONTENT, Buffer.of(0)]))],
];

describe.each([
  ['crc32', crc32],
  ['sha256', sha256],
])('with %s', (_, checksum) => {
  it('finds an entry by read and by path', () => {
    const cache = openCache(folder, checksum);
    const path = cache.write('a.db', CONTENT)!;
    expect(openCache(folder, checksum).read('a.db')).toEqual(CONTENT);
    expect(cache.find('a.db')).toBe(path);
    expect(cache.locate('a.db')).toBe(path);
    expect(cache.find('a')).toBeUndefined();
    expect(readFileSync(path)).toEqual(CONTENT);
  });

  it.each(DAMAGE)('does not find an entry that is %s, and removes it', (__, damage) => {
    const cache = openCache(folder, checksum);
    for (const look of [() => cache.read('a'), () => cache.find('a')]) {
      const path = cache.write('a', CONTENT)!;
      damage(path);
      expect(look()).toBeUndefined();
      expect(readdirSync(folder)).toEqual([]);
    }
    damage(cache.write('a', CONTENT)!);
    expect(cache.write('a', CONTENT)).toBe(cache.find('a'));
  });
});

it('the cache checks an entry that another process wrote', () => {
  const path = openCache(folder, crc32).write('a', CONTENT)!;
  expect(isIntact(path, crc32)).toBe(true);
  writeFileSync(path, flipped(CONTENT));
  expect(isIntact(path, crc32)).toBe(false);
  expect(existsSync(path)).toBe(false);
  expect(isIntact(path, crc32)).toBe(false);
});

it('the cache adopts a finished file and keeps only the newest content of a key', () => {
  const cache = openCache(join(folder, 'kept'), crc32);
  cache.write('a', 'before');
  writeFileSync(join(folder, 'made'), CONTENT);
  expect(cache.adopt('a', join(folder, 'made'))).toBe(cache.find('a'));
  expect(readdirSync(join(folder, 'kept'))).toHaveLength(1);
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

it('the cache evicts the least recently used entry past its limit', () => {
  const cache = openCache(folder, crc32, 300);
  for (const [at, key] of ['a', 'b', 'c'].entries())
    utimesSync(cache.write(key, Buffer.alloc(100, key))!, new Date(1e12 + at), new Date(1e12 + at));
  expect(cache.read('a')).toHaveLength(100);
  cache.write('d', Buffer.alloc(100, 'd'));
  expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key) !== undefined)).toEqual([true, false, true, true]);
  expect(trim(folder, 0)).toBe(300);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  [301, 0, ['a', 'b', 'c']],
  [300, 0, ['a', 'b', 'c']],
  [299, 100, ['b', 'c']],
  [200, 100, ['b', 'c']],
  [199, 200, ['c']],
])('a folder that is trimmed to %i bytes loses %i, so that it holds at most its limit', (limit, removed, rest) => {
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    writeFileSync(join(folder, name), Buffer.alloc(100));
    utimesSync(join(folder, name), new Date(1e12 + at), new Date(1e12 + at));
  }
  expect(trim(folder, limit)).toBe(removed);
  expect(readdirSync(folder)).toEqual(rest);
});

it('the cache stores nothing without a folder, and throws nothing', () => {
  writeFileSync(join(folder, 'file'), '');
  const cache = openCache(join(folder, 'file', 'kept'), crc32);
  expect(cache.write('a', CONTENT)).toBeUndefined();
  expect(cache.read('a')).toBeUndefined();
});

function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other[150_000]! ^= 1;
  return other;
}
