import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyFolder } from '../../../src/system/files/copy.ts';
import { filesBelow } from '../../../src/system/files/listing.ts';

it('a copy has files and folders with their modes, but no links and filtered paths', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-copy-'));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  mkdirSync(join(from, 'deep', 'er'), { recursive: true });
  writeFileSync(join(from, 'deep', 'er', 'chain.db'), 'blocks');
  writeFileSync(join(from, 'key.hex'), 'secret', { mode: 0o600 });
  writeFileSync(join(from, 'unwanted'), '');
  symlinkSync('/etc/passwd', join(from, 'link'));
  mkdirSync(join(to, 'deep'), { recursive: true });
  writeFileSync(join(to, 'deep', 'planned'), 'by the plan');
  await copyFolder(from, to, (path) => !path.endsWith('unwanted'));
  expect([...filesBelow(to)].sort()).toEqual(['deep/er/chain.db', 'deep/planned', 'key.hex']);
  expect(readFileSync(join(to, 'deep', 'er', 'chain.db'), 'utf8')).toBe('blocks');
  expect(statSync(join(to, 'key.hex')).mode & 0o777).toBe(0o600);
  await expect(copyFolder(join(folder, 'absent'), to)).rejects.toThrow(/ENOENT/);
  rmSync(folder, { recursive: true });
});
