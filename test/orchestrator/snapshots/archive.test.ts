import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../src/orchestrator/devnet/version.ts';
import { pack, unpack } from '../../../src/orchestrator/snapshots/archive.ts';
import { entriesOf } from '../../../src/orchestrator/snapshots/entries.ts';
import { excess } from '../../../src/orchestrator/snapshots/limits.ts';
import { MANIFEST_FORMAT } from '../../../src/orchestrator/snapshots/manifest-format.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An archive's manifest, of this platform. */
const manifest = (changes: object) => ({
  format: MANIFEST_FORMAT,
  version: version(),
  platform: `${process.platform} ${process.arch}`,
  devnet: 'a',
  taken: 1,
  at: 1,
  spec: '',
  facts: {},
  files: [],
  ...changes,
});

/** Unpacks an archive of the folder with a manifest. */
async function unpackWith(text: string, order: string[] = ['snapshot.json', 'data']): Promise<unknown> {
  writeFileSync(join(folder, 'snapshot.json'), text);
  const file = join(folder, 'a.tgz');
  await create({ gzip: true, file, cwd: folder, portable: true }, order);
  return await unpack(file, join(folder, 'out'));
}

const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, 'data', name), content);
const entry = (changes: object) => ({ path: 'data/a', size: 1, crc32: '0', ...changes });

describe('an archive is refused', () => {
  it('when a file is larger than its list says, before it is unpacked', async () => {
    put('a', Buffer.alloc(64 * 1024 ** 2));
    const text = JSON.stringify(manifest({ files: [entry({})] }));
    await expect(unpackWith(text)).rejects.toThrow('data/a has 67108864 bytes, and 1 in its list of files');
  });

  it('when it holds files that are not in its list', async () => {
    for (let at = 0; at < 100; at++) put(`${at}`, '');
    await expect(unpackWith(JSON.stringify(manifest({})))).rejects.toThrow(/data\/\d+ is not in its list of files/);
  });

  it('when its manifest is not first', async () => {
    const text = JSON.stringify(manifest({}));
    await expect(unpackWith(text, ['data', 'snapshot.json'])).rejects.toThrow('its first entry is not snapshot.json');
  });

  it('when its manifest is larger than one can be', async () => {
    await expect(unpackWith(' '.repeat(33 * 1024 ** 2))).rejects.toThrow('snapshot.json has more than 33554432 bytes');
  });

  it('when a name has control characters', async () => {
    put('\u001b[31mred', '');
    await expect(unpackWith(JSON.stringify(manifest({})))).rejects.toThrow('the name data/red has control characters');
    const text = JSON.stringify(manifest({ files: [entry({ path: 'data/\u0007' })] }));
    await expect(unpackWith(text)).rejects.toThrow('snapshot.json is malformed: files.0.path');
  });

  it('when a file or its manifest is there twice', async () => {
    put('a', '');
    const text = JSON.stringify(manifest({ files: [entry({ size: 0, crc32: '00000000' })] }));
    await expect(unpackWith(text, ['snapshot.json', 'data', 'data/a'])).rejects.toThrow('data/a is there twice');
    await expect(unpackWith(text, ['snapshot.json', 'data', 'snapshot.json'])).rejects.toThrow(
      'snapshot.json is there twice',
    );
  });

  it('when an entry is a link, also one to a file of its list', async () => {
    symlinkSync('/etc/passwd', join(folder, 'data', 'a'));
    const text = JSON.stringify(manifest({ files: [entry({ size: 0, crc32: '00000000' })] }));
    await expect(unpackWith(text)).rejects.toThrow('data/a is a SymbolicLink, and a snapshot holds files and folders');
  });

  it('when a path leaves its folder, in the archive or in its list', async () => {
    writeFileSync(join(folder, 'b'), '');
    const text = JSON.stringify(manifest({}));
    await expect(unpackWith(text, ['snapshot.json', 'data/../b'])).rejects.toThrow(
      /(data\/\.\.\/b is outside of it|b is not in its list of files)/,
    );
    const outside = JSON.stringify(manifest({ files: [entry({ path: 'data/../../b' })] }));
    await expect(unpackWith(outside)).rejects.toThrow(
      'snapshot.json is malformed: files.0.path: expected a path below',
    );
  });

  it('when its list has more files or bytes than a snapshot can have', async () => {
    const many = Array.from({ length: 20_001 }, (_, at) => entry({ path: `data/${at}` }));
    await expect(unpackWith(JSON.stringify(manifest({ files: many })))).rejects.toThrow(
      'snapshot.json is malformed: files: expected at most 20000 files',
    );
    const large = [entry({ size: 8 * 1024 ** 3 }), entry({ path: 'data/b' })];
    await expect(unpackWith(JSON.stringify(manifest({ files: large })))).rejects.toThrow(
      'its files have 8589934593 bytes, and those of a snapshot have at most 8589934592',
    );
  });

  it.each([1e300, -1, 4e12])('when its time is %d', async (at) => {
    await expect(unpackWith(JSON.stringify(manifest({ at })))).rejects.toThrow('snapshot.json is malformed: at');
  });
});

it('an archive with a list that fits is unpacked', async () => {
  put('a', '');
  const text = JSON.stringify(manifest({ files: [entry({ size: 0, crc32: '00000000' })] }));
  await expect(unpackWith(text)).resolves.toMatchObject({ devnet: 'a' });
});

it('a snapshot of too many files names the process that has most of them', () => {
  const files = Array.from({ length: 20_001 }, (_, at) => ({ path: `data/nodes/a/v/el/geth/${at}`, size: 0 }));
  expect(excess(files.slice(1))).toBeUndefined();
  expect(excess([...files, { path: 'data/b', size: 9 }])).toEqual({
    why: 'it has 20002 files, and a snapshot has at most 20000',
    hint: 'most of them are in nodes/a/v/el: end that node, or let it keep less',
  });
});

it('entries of an archive have no more folders than a snapshot', () => {
  const fits = entriesOf(manifest({}) as Parameters<typeof entriesOf>[0]);
  for (let at = 0; at < 5000; at++) expect(fits(`data/${at}/`, { type: 'Directory' })).toBe(true);
  expect(() => fits('data/last/', { type: 'Directory' })).toThrow('it holds more than 5000 folders');
  expect(() => fits('other/', { type: 'Directory' })).toThrow('the folder other/ is not below data');
});

describe('packing is refused before a file is written', () => {
  const packed = () => pack(folder, manifest({}) as Parameters<typeof pack>[1], join(folder, 'a.tgz'));

  it('when the data have more bytes than an archive may have', async () => {
    const data = join(folder, 'data', 'nodes', 'main', 'verifier', 'el');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'chain'), '');
    truncateSync(join(data, 'chain'), 8 * 1024 ** 3 + 1);
    put('a', 'a');
    const message = 'its files have 8589934594 bytes, and those of a snapshot have at most 8589934592';
    const hint = expect.stringContaining('most of them are in nodes/main/verifier/el: end that node');
    await expect(packed()).rejects.toMatchObject({ message: expect.stringContaining(message), hint });
    expect(existsSync(join(folder, 'snapshot.json'))).toBe(false);
  });

  it('when the data have more folders than an archive may have', async () => {
    for (let at = 0; at <= 5000; at++) mkdirSync(join(folder, 'data', `${at}`));
    await expect(packed()).rejects.toThrow('it has 5001 folders, and a snapshot has at most 5000');
  });

  it('when a name has control characters', async () => {
    put('\u0007', '');
    await expect(packed()).rejects.toThrow('files.0.path: expected a path below data');
  });
});

it('an archive that was packed is unpacked with every file and empty folder', async () => {
  put('a', 'content');
  mkdirSync(join(folder, 'data', 'empty'));
  const file = join(folder, 'a.tgz');
  await pack(folder, manifest({}) as Parameters<typeof pack>[1], file);
  expect(await unpack(file, join(folder, 'out'))).toMatchObject({ files: [{ path: 'data/a', size: 7 }] });
  expect(existsSync(join(folder, 'out', 'data', 'empty'))).toBe(true);
});
