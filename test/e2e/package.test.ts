import { execFileSync, spawn } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Home, root, run, type Status } from './devnet.ts';
import { mustCompile, mustRunExample, mustServe, mustShowFailure, projectWith } from './support/library.ts';
import { withLiveProxies } from './support/live-proxies.ts';

/** Variables of npm stay, because they may name its registry. */
const environment = await withLiveProxies({ ...process.env, NODE_OPTIONS: '' });

/** The machine's npm. A Makefile puts the project's own Node first, which a user does not have. */
function npm(cwd: string, extra: NodeJS.ProcessEnv, ...args: string[]): string {
  const ours = join(root, 'node_modules', '.bin');
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ours);
  const env = { ...environment, PATH: path.join(delimiter), ...extra };
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 400_000 });
}

/** Returns the bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Returns packages that are in the source maps but not in the notices of third parties. */
function unnamedPackages(folder: string): string[] {
  const programs = join(folder, 'dist', 'programs');
  const notices = readFileSync(join(folder, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const sources = readdirSync(programs)
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => (JSON.parse(readFileSync(join(programs, file), 'utf8')) as { sources: string[] }).sources);
  const names = new Set(sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  expect(names.size).toBeGreaterThan(100);
  expect(notices.match(/^licence: MPL-2\.0$/gm)?.length).toBeGreaterThan(3);
  return [...names].filter((name) => !new RegExp(`^${name} \\S+: \\S`, 'm').test(notices));
}

/** Shipped contracts under a copyleft licence, and the headings of the texts that have to come with them. */
const COPYLEFT = [
  ...['Safe 1.3.0: .*\nlicence: LGPL-3.0-only', 'ERC-4337 .* 0.6.0\nlicence: GPL-3.0-only'],
  ...['ERC-4337 .* 0.7.0, .*\nlicence: GPL-3.0-only', 'CreateX .*\nlicence: AGPL-3.0-only'],
  ...['WETH98.sol .*\nlicence: GPL-3.0-or-later', 'Licence L?GPL-3.0\n', 'Licence AGPL-3.0\n'],
];

/** Returns the stack of an unexpected error, as the program prints it. */
async function stackOf(bin: string, home: Home): Promise<string> {
  const fault = join(home.folder, 'fault.cjs');
  writeFileSync(fault, "JSON.stringify = () => { throw new TypeError('planted'); };\n");
  // Node itself calls JSON.stringify when it starts with proxies.
  const env = { ...home.env, NODE_USE_ENV_PROXY: undefined };
  const child = spawn(process.execPath, ['--require', fault, bin, 'ls', '--json'], { env });
  return text(child.stderr);
}

it('the packed tarball works through npx from an empty folder, with nothing installed', async () => {
  await using home = new Home();
  const folder = join(home.folder, 'user');
  const cache = join(home.folder, 'npm');
  mkdirSync(folder, { recursive: true });
  mkdirSync(cache);
  // Downloads are cached beside the real cache, so that only new packages come over the network.
  symlinkSync(join(npm(root, {}, 'config', 'get', 'cache').trim(), '_cacache'), join(cache, '_cacache'));
  const [packed] = JSON.parse(npm(root, {}, 'pack', '--json', '--pack-destination', home.folder)) as [
    { filename: string },
  ];
  const tarball = join(home.folder, packed.filename);
  await run(join(root, 'node_modules', '.bin', 'publint'), ['run', tarball, '--strict'], home.env);
  const env = { HOME: folder, DEVNET_HOME: home.env['DEVNET_HOME']!, CI: 'true', npm_config_cache: cache };
  const spec = home.spec('packed', { version: 1, name: 'packed', ports: 'auto' });
  npm(
    folder,
    env,
    'exec',
    '--yes',
    '--prefer-offline',
    `--package=${tarball}`,
    '--',
    'rollup-devnet',
    'up',
    spec,
    '-d',
  );

  const installed = globSync(join(cache, '_npx', '*', 'node_modules', 'rollup-devnet'));
  expect(installed).toHaveLength(1);
  const [installedFolder] = installed as [string];
  const packages = dirname(installedFolder);
  const { bin: commands } = JSON.parse(readFileSync(join(installedFolder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  // The names have a prefix, because a user's PATH has other batchers and proposers.
  expect(Object.keys(commands).sort()).toEqual([
    'devnet',
    'devnet-batcher',
    'devnet-challenger',
    'devnet-conductor',
    'devnet-da-server',
    'devnet-proposer',
    'devnet-signer',
    'execution-client',
    'l1-beacon',
    'rollup-devnet',
    'rollup-node',
  ]);
  expect(readdirSync(join(packages, '.bin'))).toEqual(expect.arrayContaining(Object.keys(commands)));
  expect(sizeOf(packages)).toBeLessThan(150e6);
  expect(unnamedPackages(installedFolder)).toEqual([]);
  const notices = readFileSync(join(installedFolder, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(COPYLEFT.filter((heading) => !new RegExp(`^${heading}`, 'm').test(notices))).toEqual([]);

  const bin = join(installedFolder, 'dist', 'devnet.js');
  expect(await stackOf(bin, home)).toMatch(/at async main \(src\/orchestrator\/\S+\.ts:\d+:\d+\)/);
  const status = JSON.parse(await run(process.execPath, [bin, 'status', '--json'], home.env)) as Status;
  expect(status.phase).toBe('ready');
  expect(status.chains[0]?.nodes.map(({ name }) => name)).toEqual(['sequencer', 'verifier']);
  const project = projectWith(home, 'project', installedFolder);
  await mustServe(project, home, 'packed');
  await mustShowFailure(project, home, 'packed');
  if (process.env['SAMPLES'] === 'all') {
    await mustCompile(project);
    await mustRunExample(project, home);
  }
  await run(process.execPath, [bin, 'down'], home.env);
  expect(home.leftovers()).toEqual([]);
}, 600_000);
