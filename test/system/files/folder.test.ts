import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  copyPrivate,
  makeFolders,
  ownFolder,
  privateFolder,
  publishExclusive,
  replaceFile,
  unreadable,
  writePrivate,
} from '../../../src/system/files/folder.ts';
import { hasProc } from '../../../src/system/program/platform.ts';

let place: string;
let umask: number;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'folder-'));
  umask = process.umask();
});
afterEach(() => {
  process.umask(umask);
  rmSync(place, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.each([0, 0o022, 0o077, 0o277])('with the umask %i', (mask) => {
  it('a folder and its parents are made for their owner only', () => {
    chmodSync(place, 0o755);
    process.umask(mask);
    makeFolders(join(place, 'a', 'b'));
    expect([place, join(place, 'a'), join(place, 'a', 'b')].map(modeOf)).toEqual(['755', '700', '700']);
  });

  it.each([0o600, 0o644, 0o444])(
    'a file is written with exactly the mode %i, also over one of another mode',
    (mode) => {
      const path = join(place, 'below', 'file');
      process.umask(mask);
      writePrivate(path, 'first', 0o644);
      writePrivate(path, 'second', mode);
      expect([modeOf(path), modeOf(dirname(path)), readFileSync(path, 'utf8')]).toEqual([
        mode.toString(8),
        '700',
        'second',
      ]);
    },
  );

  it('a copy of a file that all users read has exactly its mode', async () => {
    const [from, path] = [join(place, 'from'), join(place, 'below', 'copy')];
    writeFileSync(from, 'content');
    chmodSync(from, 0o644);
    process.umask(mask);
    await copyPrivate(from, path, 'C', 0o600);
    expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual(['600', 'Content']);
  });

  it('a file that is replaced or published is read by its owner only', () => {
    process.umask(mask & 0o077);
    replaceFile(join(place, 'replaced'), '1');
    publishExclusive(join(place, 'published'), '1');
    expect([modeOf(join(place, 'replaced')), modeOf(join(place, 'published'))]).toEqual(['600', '600']);
  });
});

describe('a folder that only its owner can enter', () => {
  it.each([
    ['privateFolder', privateFolder],
    ['ownFolder', ownFolder],
  ])('is made by %s below one that all users can write', (_, make) => {
    chmodSync(place, 0o777);
    make(join(place, 'own'));
    expect(modeOf(join(place, 'own'))).toBe('700');
  });

  it('is refused below a file, and never sought without end where the system makes no folders', () => {
    writeFileSync(join(place, 'file'), '');
    const paths = [join(place, 'file', 'below'), ...(hasProc() ? ['/proc/none/below'] : [])];
    for (const path of paths)
      expect(() => privateFolder(path)).toThrow(expect.objectContaining({ code: 'home', exit: 4, data: { path } }));
  });
});

describe('a file that cannot be written', () => {
  it.each<[string, (path: string, from: string) => unknown]>([
    ['writePrivate', (path) => writePrivate(path, 'text', 0o600)],
    ['replaceFile', (path) => replaceFile(path, 'text')],
    ['copyPrivate', (path, from) => copyPrivate(from, path, 'text', 0o600)],
  ])('leaves at its path what was there, and nothing beside it: %s', async (_, write) => {
    const [path, from] = [join(place, 'taken'), join(place, 'from')];
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'before');
    writeFileSync(from, '');
    await expect((async () => await write(path, from))()).rejects.toThrow(
      expect.objectContaining({ code: 'write', exit: 4, data: { path } }),
    );
    expect([readdirSync(place), readFileSync(join(path, 'inside'), 'utf8')]).toEqual([['from', 'taken'], 'before']);
  });
});

describe('a path that is read as a regular file of at most some bytes', () => {
  it.each([
    [2, 'it has 3 bytes, at most 2 are allowed'],
    [3, undefined],
    [undefined, undefined],
  ])('has 3 bytes, of which %s are allowed', (most, fault) => {
    writeFileSync(join(place, 'file'), 'abc');
    expect(unreadable(join(place, 'file'), most)).toBe(fault);
  });

  it('is no folder and no device, and may be absent', () => {
    expect(unreadable(place)).toBe('it is a folder, not a regular file');
    expect(unreadable('/dev/null')).toBe('it is a device, not a regular file');
    expect(unreadable(join(place, 'none'))).toBeUndefined();
  });
});
