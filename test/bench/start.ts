import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './execution/rounds.ts';

/** Measures the package as a user gets it: the size of the tarball, its installation, and starts from there. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

const root = resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-start-'));
const project = join(folder, 'project');
const env = { ...process.env, DEVNET_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') };

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

/** Runs a program to its end and returns its time (s). */
function timed(program: string, args: readonly string[], cwd = project): number {
  const began = performance.now();
  execFileSync(program, args, { cwd, env, stdio: 'pipe' });
  return (performance.now() - began) / 1000;
}

/** Sums the sizes (bytes) of the files below a folder. */
function sizeBelow(path: string): number {
  return readdirSync(path, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

try {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' })) as [Packed];
  console.log(
    `tarball        ${megabytes(packed.size)}, ${packed.entryCount} files, ${megabytes(packed.unpackedSize)} unpacked`,
  );
  const install = timed('npm', ['install', '--no-audit', '--no-fund', '--silent', join(folder, packed.filename)]);
  const modules = sizeBelow(join(project, 'node_modules'));
  console.log(`npm install    ${install.toFixed(1)} s, ${megabytes(modules)} with all dependencies`);
  const devnet = join(project, 'node_modules', 'rollup-devnet', 'dist', 'devnet.js');
  const node = (...args: readonly string[]) => timed(process.execPath, [devnet, ...args]);
  const up = () => {
    const ready = node('up', 'default', '-d', '--set', 'ports=auto');
    return { ready, down: node('down') };
  };
  console.log(`first up       ${up().ready.toFixed(2)} s to ready, with no cache of any start before`);
  const rounds = Array.from({ length: ROUNDS }, () => ({ ...up(), version: node('--version') }));
  const row = (key: 'ready' | 'down' | 'version') => median(rounds.map((each) => each[key])).toFixed(2);
  console.log(`later ups      ${row('ready')} s to ready, ${row('down')} s down; \`--version\` ${row('version')} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
