import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolderCache, stampOf } from '../../../src/system/files/folder-cache.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'folder-cache-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const cachePath = () => join(place, 'kept');

function makeFolder(name: string, bytes: number): string {
  const folder = join(place, name);
  mkdirSync(join(folder, 'below'), { recursive: true });
  writeFileSync(join(folder, 'below', 'file'), Buffer.alloc(bytes));
  return folder;
}

/** Adopts a folder that was last used this many minutes ago. */
function adopted(key: string, bytes: number, minutes = 0): string | undefined {
  const path = openFolderCache(cachePath(), 1000).adopt(key, makeFolder(`made-${key}`, bytes));
  const used = Date.now() / 1000 - 60 * minutes;
  if (path !== undefined) utimesSync(path, used, used);
  return path;
}

test('the folder cache adopts a folder, and finds it by its key', () => {
  const path = adopted('a', 10);
  expect(openFolderCache(cachePath(), 1000).find('a')).toBe(path);
  expect(readdirSync(path!)).toContain('below');
  expect(openFolderCache(cachePath(), 1000).find('b')).toBeUndefined();
  expect(readdirSync(place)).toEqual(['kept']);
});

test.each([
  ['changed', (file: string) => writeFileSync(file, Buffer.alloc(10, 1))],
  ['cut off', (file: string) => truncateSync(file, 5)],
  ['removed', (file: string) => rmSync(file)],
  ['joined by another', (file: string) => writeFileSync(`${file}-more`, '')],
])('the folder cache removes a folder with a file that was %s', (_how, damage) => {
  const path = adopted('a', 10);
  damage(join(path!, 'below', 'file'));
  expect(openFolderCache(cachePath(), 1000).find('a')).toBeUndefined();
  expect(readdirSync(cachePath())).toEqual([]);
});

test('the folder cache evicts the least recently used past its limit, but none of the last minute', () => {
  for (const [key, minutes] of [
    ['old', 9],
    ['older', 10],
    ['new', 0],
  ] as const)
    adopted(key, 300, minutes);
  adopted('last', 300);
  expect(readdirSync(cachePath()).sort()).toEqual(['last', 'new', 'old']);
  adopted('more', 900);
  expect(readdirSync(cachePath()).sort()).toEqual(['last', 'more', 'new']);
});

test('the folder cache does not adopt a folder over the limit, or one whose key exists', () => {
  expect(adopted('large', 1001)).toBeUndefined();
  adopted('a', 10);
  expect(adopted('a', 20)).toBeUndefined();
  expect(readdirSync(place).sort()).toEqual(['kept', 'made-a', 'made-large']);
});

test('a stamp changes with every write and every copy', () => {
  const path = join(place, 'file');
  writeFileSync(path, 'one');
  const first = stampOf(path);
  expect(stampOf(path)).toBe(first);
  writeFileSync(path, 'two');
  const second = stampOf(path);
  writeFileSync(`${path}.copy`, 'two');
  expect(new Set([first, second, stampOf(`${path}.copy`)]).size).toBe(3);
  expect(stampOf(join(place, 'none'))).toBeUndefined();
});
