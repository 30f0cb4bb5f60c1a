import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../src/orchestrator/devnet/version.ts';
import { unpack } from '../../../src/orchestrator/snapshots/archive.ts';
import { FORMAT } from '../../../src/orchestrator/snapshots/manifest-format.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An archive's manifest, of this platform. */
const manifest = (changes: object) => ({
  format: FORMAT,
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

  it.each([1e300, -1, 4e12])('when its time is %d', async (at) => {
    await expect(unpackWith(JSON.stringify(manifest({ at })))).rejects.toThrow('snapshot.json is malformed: at');
  });
});

it('an archive with a list that fits is unpacked', async () => {
  put('a', '');
  const text = JSON.stringify(manifest({ files: [entry({ size: 0, crc32: '00000000' })] }));
  await expect(unpackWith(text)).resolves.toMatchObject({ devnet: 'a' });
});
