import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Home } from './devnet.ts';

/** Damages every file below a folder, in turn cut off, zeroed and with one bit flipped. Returns how many there were. */
function damage(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const [at, file] of files.entries()) {
    const bytes = readFileSync(file);
    if (at % 3 === 0) truncateSync(file, bytes.length >> 1);
    else if (at % 3 === 1) writeFileSync(file, bytes.fill(0));
    else {
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(file, bytes);
    }
  }
  return files.length;
}

it('a network starts whatever happened to everything in the cache', async () => {
  await using home = new Home();
  const spec = home.spec('damaged', { version: 1, name: 'damaged', ports: 'auto' });
  await home.up(spec);
  await home.devnet('down');
  expect(damage(join(home.folder, 'home', '.cache'))).toBeGreaterThan(10);
  expect((await home.up(spec)).phase).toBe('ready');
});
