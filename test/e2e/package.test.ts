import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
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

it('the packed tarball works from an empty folder', async () => {
  await using home = new Home();
  const folder = join(home.folder, 'user');
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', home.folder)) as [{ filename: string }];
  npm(folder, 'init', '-y');
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];
  npm(folder, 'install', ...quick, join(home.folder, packed.filename));
  expect(readdirSync(join(folder, 'node_modules', '.bin'))).toEqual(
    expect.arrayContaining(['devnet', 'execution-client', 'rollup-node', 'batcher', 'proposer', 'l1-beacon']),
  );
  const bin = join(folder, 'node_modules', 'rollup-devnet', 'dist', 'devnet.js');
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
