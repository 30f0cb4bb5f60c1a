import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { expect, it } from 'vitest';
import { readBundle } from '../../../src/orchestrator/load/read-bundle.ts';

/** Packs a bundle of a run, with `bytes` zeros in a log. */
async function bundle(bytes: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'run', 'a.log'), '');
  truncateSync(join(folder, 'run', 'a.log'), bytes);
  writeFileSync(join(folder, 'run', 'scenario.yaml'), 'steps: []\n');
  const file = join(folder, 'run.tgz');
  await create({ gzip: { level: 1 }, file, cwd: folder }, ['run/a.log', 'run/scenario.yaml']);
  return file;
}

it('a bundle is read for its scenario', async () => {
  const path = await bundle(1000);
  expect(await readBundle('run.tgz', path)).toMatchObject({ scenario: { text: 'steps: []\n' }, spec: undefined });
});

it('a bundle that unpacks to more bytes than its limit is refused', async () => {
  const path = await bundle(1024 ** 2);
  await expect(readBundle('run.tgz', path, 1024 ** 2)).rejects.toThrow('it holds more than 1048576 bytes');
});

it('a file that is not an archive is refused', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'run.tgz');
  writeFileSync(path, 'no archive');
  await expect(readBundle('run.tgz', path)).rejects.toThrow(/cannot read run\.tgz: /);
});
