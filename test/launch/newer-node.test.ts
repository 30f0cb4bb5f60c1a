import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newerNode } from '../../src/launch/newer-node.ts';
import { quietEnvironment } from '../quiet-environment.ts';

const MODULE = resolve(import.meta.dirname, '..', '..', 'src', 'launch', 'newer-node.ts');
const VERSION = '24.21.0';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'newer-node-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An npm that records its arguments and prints `says`. */
function npmThat(description: string): Readonly<Record<string, string>> {
  const file = join(folder, 'npm');
  writeFileSync(file, `#!/bin/sh\necho "$@" > ${folder}/asked\necho '${description}'\n`);
  chmodSync(file, 0o755);
  return { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) };
}

function installed(version: string): void {
  const packageFolder = join(folder, 'node_modules', 'node');
  mkdirSync(packageFolder, { recursive: true });
  writeFileSync(join(packageFolder, 'package.json'), JSON.stringify({ name: 'node', version }));
}

const request = (env: Readonly<Record<string, string>>) => ({
  version: VERSION,
  beside: join(folder, 'dist', 'devnet.js'),
  env,
});

test('the launcher prefers an installed package "node" to npm', () => {
  installed('22.13.0');
  expect(newerNode(request({ PATH: '/nowhere' }))).toBe(join(folder, 'node_modules', 'node', 'bin', 'node'));
});

test('the launcher fetches the exact version by npm when none is installed, or an old one', () => {
  installed('20.20.2');
  expect(newerNode(request(npmThat('24.21.0 /cache of npm/bin/node')))).toBe('/cache of npm/bin/node');
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain(`exec --yes --package=node@${VERSION} -- node -p`);
});

test.each([
  ['an npm that fetches nothing', ''],
  ['an npm that runs another old Node', '20.20.2 /usr/bin/node'],
])('the launcher starts no other node when %s, so that no process starts itself for ever', (_, description) => {
  expect(newerNode(request(npmThat(description)))).toBeUndefined();
});

test('the launcher finds no newer node on a machine without npm', () => {
  expect(newerNode(request({ PATH: folder }))).toBeUndefined();
});

/** A process that continues on this Node with a program. */
function continuing(program: string, ...args: string[]) {
  const file = join(folder, 'program.cjs');
  writeFileSync(file, program);
  const node = join(dirname(process.execPath), 'node');
  const code = `import { continueOn } from ${JSON.stringify(MODULE)};
continueOn(${JSON.stringify(node)}, [${[file, ...args].map((text) => JSON.stringify(text)).join()}]);`;
  return [process.execPath, ['--input-type=module', '-e', code]] as const;
}

test('a newer node gets the arguments and the input, and gives its exit code', () => {
  const program = `let text = ''; process.stdin.on('data', (part) => { text += part; }).on('end', () => {
    console.log(JSON.stringify([process.argv.slice(2), text])); process.exitCode = 3; });`;
  const [file, args] = continuing(program, 'up', '--set a b', '');
  const { stdout, status } = spawnSync(file, args, { input: 'piped', encoding: 'utf8', env: quietEnvironment });
  expect(JSON.parse(stdout)).toEqual([['up', '--set a b', ''], 'piped']);
  expect(status).toBe(3);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s reaches the program', async (signal) => {
  const program = `process.on('${signal}', () => process.exit(42)); setInterval(() => {}, 1000); console.log('ready');`;
  const [file, args] = continuing(program);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env: quietEnvironment });
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([42, null]);
});

test.each(['index', 'vitest', 'vitest-setup', 'node-test', 'pool'])(
  'library/%s names the Node that it needs',
  (entry) => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
    // What an old Node lacks first.
    const lacks = 'delete Set.prototype.union;';
    const module = pathToFileURL(resolve(import.meta.dirname, '..', '..', 'dist', 'library', `${entry}.mjs`)).href;
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${old}${lacks}`, '--input-type=module', '--eval', `import '${module}';`],
      { encoding: 'utf8' },
    );
    expect(stderr).toContain('rollup-devnet: this is Node.js 20.20.2, expected 22.13 or newer');
    expect(status).toBe(1);
  },
);
