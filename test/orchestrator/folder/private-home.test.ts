import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { privateHome } from '../../../src/orchestrator/folder/private-home.ts';
import { cacheFolder } from '../../../src/orchestrator/state/paths.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function makeOpen(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

it.each<[string, (home: string) => readonly string[], string]>([
  ['is absent', () => [], '700'],
  ['held devnets before', (home) => [home, join(home, '.locks')], '700'],
  ['is a project of the user', (home) => [home], '755'],
])('the home and its cache are for their owner only: a home that %s', (_, folders, mode) => {
  const home = join(place, 'home');
  for (const path of folders(home)) makeOpen(path);
  if (folders(home).length > 0) makeOpen(cacheFolder(home));
  privateHome(home);
  expect([modeOf(home), modeOf(cacheFolder(home)), modeOf(cacheFolder(home, 'code'))]).toEqual([mode, '700', '700']);
});
