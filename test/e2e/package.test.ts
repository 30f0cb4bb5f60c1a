import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { Home, root, run, type Status } from './devnet.ts';

/** npm as the machine has it: the project's own Node, which a Makefile puts first, is not there for a user. */
function npm(cwd: string, ...args: string[]): string {
  const own = join(root, 'node_modules', '.bin');
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== own);
  const env = { ...process.env, PATH: path.join(delimiter) };
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Packages that the source maps name, and the notices of third parties do not. */
function unnamedPackages(own: string): string[] {
  const programs = join(own, 'dist', 'programs');
  const notices = readFileSync(join(own, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const sources = readdirSync(programs)
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => (JSON.parse(readFileSync(join(programs, file), 'utf8')) as { sources: string[] }).sources);
  const names = new Set(sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  expect(names.size).toBeGreaterThan(100);
  expect(notices.match(/^licence: MPL-2\.0$/gm)?.length).toBeGreaterThan(5);
  return [...names].filter((name) => !new RegExp(`^${name} \\S+: \\S`, 'm').test(notices));
}

it('the packed tarball works from an empty folder', async () => {
  await using home = new Home();
  const folder = join(home.folder, 'user');
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', home.folder)) as [{ filename: string }];
  npm(folder, 'init', '-y');
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];
  npm(folder, 'install', ...quick, join(home.folder, packed.filename));
  const own = join(folder, 'node_modules', 'rollup-devnet');
  const { bin: commands } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  // No everyday word: a user's PATH has other batchers and proposers.
  expect(Object.keys(commands).sort()).toEqual([
    'devnet',
    'devnet-batcher',
    'devnet-proposer',
    'execution-client',
    'l1-beacon',
    'rollup-devnet',
    'rollup-node',
  ]);
  expect(readdirSync(join(folder, 'node_modules', '.bin'))).toEqual(expect.arrayContaining(Object.keys(commands)));
  expect(sizeOf(join(folder, 'node_modules'))).toBeLessThan(150e6);
  expect(unnamedPackages(own)).toEqual([]);
  const bin = join(own, 'dist', 'devnet.js');
  await run(
    process.execPath,
    [bin, 'up', home.spec('packed', { version: 1, name: 'packed', ports: 'auto' }), '-d'],
    home.env,
  );
  const status = JSON.parse(await run(process.execPath, [bin, 'status', '--json'], home.env)) as Status;
  expect(status.phase).toBe('ready');
  expect(status.chains[0]?.nodes.map(({ name }) => name)).toEqual(['sequencer', 'verifier']);
  await run(process.execPath, [bin, 'down'], home.env);
  expect(home.leftovers()).toEqual([]);
}, 180_000);
