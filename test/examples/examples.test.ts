import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Home, root } from '../e2e/devnet.ts';
import { compilerIn } from '../e2e/support/forge.ts';
import { runAction, runnerIn } from './action.ts';

const home = new Home();
let tarball = '';

/** The environment of a user: the machine's npm, not the project's own Node. */
const ours = join(root, 'node_modules', '.bin');
const env: Record<string, string> = Object.fromEntries(
  Object.entries(home.env).flatMap(([key, value]) =>
    value === undefined || /^(VITEST|NODE_OPTIONS|DEVNET_|TEST$|DEV$|PROD$|MODE$|SSR$)/.test(key) ? [] : [[key, value]],
  ),
);
env['PATH'] = (env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => folder !== ours)
  .join(delimiter);
env['npm_config_prefer_offline'] = 'true';

beforeAll(() => {
  const args = ['pack', '--json', '--pack-destination', home.folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, env, encoding: 'utf8' })) as [
    { filename: string },
  ];
  tarball = join(home.folder, packed.filename);
  return () => home[Symbol.asyncDispose]();
});

/** Returns the names of the devnets in a runner's home. */
function devnets({ env }: { readonly env: Readonly<Record<string, string>> }): string {
  return execFileSync('devnet', ['ls', '--json'], { env, encoding: 'utf8' });
}

describe('the action', () => {
  const ports = '--set\nports=auto';

  it('starts a network, runs commands with its addresses, and takes it down', async () => {
    const runner = runnerIn(join(home.folder, 'passes'), env);
    const run =
      'test -n "$DEVNET_L2_RPC_URL"\nnode -e "fetch(process.env.DEVNET_L1_RPC_URL)"\ndevnet check > checked 2>&1';
    const { ran, failed, output } = await runAction(runner, { package: tarball, args: ports, run });
    expect(failed, output).toEqual([]);
    expect(ran).toEqual(['Install', 'Start', 'Run', 'Take down']);
    expect(readFileSync(join(runner.folder, 'project', 'checked'), 'utf8')).toMatch(/all nodes agree/);
    expect(JSON.parse(devnets(runner))).toEqual([]);
  });

  it('uses the version that the project has installed, and installs no second one', async () => {
    const runner = runnerIn(join(home.folder, 'own'), env);
    const project = join(runner.folder, 'project');
    writeFileSync(join(project, 'package.json'), '{ "devDependencies": { "rollup-devnet": "*" } }');
    const early = await runAction(runner, { run: 'true' });
    expect(early.failed).toEqual(['Install']);
    expect(early.output).toContain('run `npm ci` in a step before');
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', tarball], { cwd: project, env });
    const { failed, output } = await runAction(runner, { args: ports, run: 'realpath "$(command -v devnet)" > used' });
    expect(failed, output).toEqual([]);
    const used = readFileSync(join(project, 'used'), 'utf8').trim();
    expect(used).toBe(join(realpathSync(project), 'node_modules', 'rollup-devnet', 'dist', 'devnet.js'));
    expect(existsSync(join(runner.folder, 'temp', 'rollup-devnet', 'node_modules', 'rollup-devnet'))).toBe(false);
  });

  it('keeps the bundle of a job that fails, and leaves no network', async () => {
    const runner = runnerIn(join(home.folder, 'fails'), env);
    const first = await runAction(runner, { package: tarball, args: ports });
    expect(first, first.output).toMatchObject({ ran: ['Install', 'Start'], failed: [] });
    expect(JSON.parse(devnets(runner))).toHaveLength(1);
    const { ran, failed, uploads } = await runAction(runner, { down: 'true', failed: 'true' });
    expect({ ran, failed }).toEqual({ ran: ['Pack what happened', 'Keep it', 'Take down'], failed: [] });
    expect(existsSync(uploads[0]!)).toBe(true);
    expect(JSON.parse(devnets(runner))).toEqual([]);
  });

  it('keeps the bundle of a network that does not start', async () => {
    const runner = runnerIn(join(home.folder, 'late'), env);
    mkdirSync(join(runner.folder, 'project'), { recursive: true });
    const input = { package: tarball, args: ports, 'ready-budget': 'spawned=1ms', run: 'touch ran' };
    const { ran, failed, uploads, output } = await runAction(runner, input);
    expect(failed).toEqual(['Start']);
    expect(ran).toEqual(['Install', 'Start', 'Pack what happened', 'Keep it', 'Take down']);
    expect(output).toMatch(/not ready after 0\.001 s/);
    expect(existsSync(uploads[0]!)).toBe(true);
    expect(existsSync(join(runner.folder, 'project', 'ran'))).toBe(false);
  });
});

it('the sample for GitLab runs the tests of a project and takes the network down', () => {
  const folder = join(home.folder, 'gitlab');
  mkdirSync(folder);
  const test = 'test -n "$DEVNET_L2_RPC_URL" && devnet status > status';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { test } }));
  writeFileSync(join(folder, 'devnet.yaml'), 'ports: auto\n');
  const { test: job } = parse(readFileSync(join(root, 'examples', 'ci', 'gitlab.yml'), 'utf8')) as {
    readonly test: Readonly<Record<'before_script' | 'script' | 'after_script', readonly string[]>>;
  };
  const bash = (lines: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    execFileSync('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], {
      cwd: folder,
      env: { ...env, DEVNET_HOME: join(folder, '.devnet'), ...more },
      encoding: 'utf8',
    });
  bash([`npm install --save-dev --no-audit --no-fund "${tarball}"`]);
  // A mirror of the registry may lack packages for other systems, without which npm refuses its own lock file.
  const installed = job.before_script.filter((line) => !line.startsWith('npm ci'));
  bash([...installed, ...job.script]);
  expect(readFileSync(join(folder, 'status'), 'utf8')).toMatch(/sequencer ready/);
  expect(JSON.parse(readFileSync(join(folder, 'start.json'), 'utf8'))).toMatchObject({ ready: true });
  bash(job.after_script, { CI_JOB_STATUS: 'failed' });
  expect(existsSync(join(folder, 'devnet-bundle.tgz'))).toBe(true);
  expect(JSON.parse(bash(['npx devnet ls --json']))).toEqual([]);
});

/** Copies an example, installs what it needs, and runs its tests. Returns their output. */
function tested(name: string, packages: readonly string[], argv: readonly string[], more = {}): string {
  const folder = join(home.folder, name);
  // These are what `devnet init --template` writes.
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  const options = { cwd: folder, env: { ...env, DEVNET_HOME: join(folder, '.devnet'), ...more } };
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', tarball, ...packages], options);
  const [program = '', ...args] = argv;
  const { stdout, stderr, status } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

/** Returns the commands of a section of the page about contracts, each with the line that it has to print. */
function commandsOf(title: string): readonly (readonly [string, string])[] {
  const page = readFileSync(join(root, 'docs', 'how-to', 'contracts.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
  const blocks = [...section.matchAll(/```console\n\$ (.*)\n(.*)\n```/g)];
  expect(blocks.length, title).toBeGreaterThan(0);
  return blocks.map(([, command = '', line = '']) => [command, line]);
}

/** Installs an example and runs the commands of its section on the page. */
function followed(title: string, packages: readonly string[], more = {}): void {
  for (const [command, line] of commandsOf(title))
    expect(tested(title.toLowerCase(), packages, ['bash', '-c', command], more)).toContain(line);
}

it('the example of foundry deploys by a spec, and its tests run on a fork', () => {
  // forge would download a compiler.
  const solc = compilerIn(join(home.folder, 'compiler'));
  const foundryEnv = { FOUNDRY_SOLC: solc, FOUNDRY_OFFLINE: 'true', FOUNDRY_EVM_VERSION: 'london' };
  followed('Foundry', ['@foundry-rs/forge@1.7.1'], foundryEnv);
});

/** Packages that an example names, but for this one. */
function packagesOf(name: string): readonly string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(devDependencies).flatMap(([each, version]) =>
    each === 'rollup-devnet' ? [] : [`${each}@${version}`],
  );
}

/** npm leaves out the native parts of Hardhat under the Node of an older machine. */
const NEWER = { PATH: [ours, env['PATH']].join(delimiter) };

it("the example of hardhat compiles a contract with npm's solc, deploys and calls it", () => {
  followed('Hardhat', packagesOf('hardhat'), NEWER);
});

it("the example of viem compiles a contract with npm's solc, deploys and calls it", () => {
  followed('viem', packagesOf('viem'), NEWER);
});

it('the example of Python needs only the standard library', () => {
  const argv = ['npx', 'devnet', 'exec', '--', 'python3', '-m', 'unittest'];
  expect(tested('python', [], argv)).toMatch(/Ran 2 tests.*OK/s);
});

it('the example of Python gives each worker a network of the pool', () => {
  const pool = ['npx', 'devnet', 'pool', '--port', '0', '--set', 'time.clock=instant'];
  expect(tested('python-pool', [], [...pool, '--', 'python3', '-m', 'unittest'])).toMatch(/Ran 1 test.*OK/s);
});
