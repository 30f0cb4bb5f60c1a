import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';

interface Packed {
  readonly filename: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const run = promisify(execFile);
const home = new Home();
const ours = join(root, 'node_modules', '.bin');
const env: Record<string, string> = Object.fromEntries(
  Object.entries(home.env).flatMap(([key, value]) =>
    value === undefined || /^(VITEST|NODE_OPTIONS|TEST$|DEV$|PROD$|MODE$|SSR$)/.test(key) ? [] : [[key, value]],
  ),
);
env['PATH'] = (env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => folder !== ours)
  .join(delimiter);
env['npm_config_prefer_offline'] = 'true';

const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, env, encoding: 'utf8' }).trim();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let packed: Packed;
let tarball: Buffer;

/** A registry of one package. All others are at the registry of this machine. */
const registry = createServer((request, response) => {
  const path = decodeURIComponent(request.url ?? '/');
  const { port } = registry.address() as AddressInfo;
  if (path === '/rollup-devnet') {
    const shasum = createHash('sha1').update(tarball).digest('hex');
    const dist = { tarball: `http://127.0.0.1:${port}/rollup-devnet.tgz`, shasum, integrity: packed.integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    const document = { name: 'rollup-devnet', 'dist-tags': { latest: manifest.version }, versions };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  } else if (path === '/rollup-devnet.tgz') response.end(tarball);
  else response.writeHead(302, { location: `${upstream.replace(/\/$/, '')}${request.url}` }).end();
});

beforeAll(async () => {
  const args = ['pack', '--json', '--pack-destination', home.folder];
  [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, env, encoding: 'utf8' })) as [Packed];
  tarball = readFileSync(join(home.folder, packed.filename));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  registry.close();
  registry.closeAllConnections();
  await home[Symbol.asyncDispose]();
});

it('the tarball has what a user needs, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const tops = [...new Set(paths.map((path) => path.split('/')[0]))].sort();
  expect(tops).toEqual([
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'Dockerfile', 'LICENSE', 'README.md', 'SECURITY.md'],
    ...['devnets', 'dist', 'docs', 'examples', 'package.json', 'templates'],
  ]);
  const inDist = paths.flatMap((path) => (path.startsWith('dist/') ? [path.split('/')[1]!] : []));
  expect([...new Set(inDist)].filter((name) => /test|src|generated|node_modules/.test(name))).toEqual([]);
  for (const bin of Object.values(manifest.bin)) expect(paths).toContain(bin);
  for (const template of ['vitest', 'foundry', 'hardhat', 'scenario'])
    expect(paths).toContain(`examples/${template}/package.json`);
  const strange = /(^|\/)(\.env|\.npmrc|.*\.(pem|key|log|tgz))$|node_modules|\.webp$/;
  expect(paths.filter((path) => strange.test(path))).toEqual([]);
});

it('`npm publish --dry-run` accepts the package', async () => {
  const args = ['publish', '--dry-run', '--json', '--ignore-scripts', join(home.folder, packed.filename)];
  const { stdout } = await run('npm', args, { cwd: home.folder, env });
  expect(stdout).toContain(packed.integrity);
});

it('a project of `init` installs the package from a registry, and its scenario runs', async () => {
  const { port } = registry.address() as AddressInfo;
  const folder = join(home.folder, 'user');
  mkdirSync(folder);
  writeFileSync(join(folder, '.npmrc'), `registry=http://127.0.0.1:${port}/\naudit=false\nfund=false\n`);
  // The cache of the machine may have an older tarball of this name and version.
  const own = { ...env, npm_config_cache: join(home.folder, 'npm') };
  const options = { cwd: folder, env: own, maxBuffer: 64 * 1024 * 1024 };
  await run('npx', ['--yes', 'rollup-devnet', 'init', '--template', 'scenario', '--out', 'project'], options);
  const project = join(folder, 'project');
  const written = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(written.devDependencies['rollup-devnet']).toBe(`^${manifest.version}`);
  writeFileSync(join(project, '.npmrc'), readFileSync(join(folder, '.npmrc')));
  await run('npm', ['install'], { ...options, cwd: project });
  // npm leaves addresses of a registry out of the lock file if its user says so; the integrity is always there.
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  expect(packages['node_modules/rollup-devnet']).toMatchObject({ integrity: packed.integrity });
  const { stdout, stderr } = await run('npm', ['test'], { ...options, cwd: project });
  expect(stdout + stderr).toMatch(/passed/);
  expect(home.leftovers()).toEqual([]);
});
