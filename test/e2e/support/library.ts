import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Home, root, run } from '../devnet.ts';

const packages = join(root, 'node_modules');

/** Makes a user's project where the package is installed: with viem and vitest as npm would put them beside it. */
export function projectWith(home: Home, name: string, installed: string): string {
  const folder = join(home.folder, name);
  mkdirSync(folder);
  const beside = dirname(installed);
  mkdirSync(join(beside, '@types'), { recursive: true });
  for (const each of ['viem', 'vitest', 'vite', '@types/node']) symlinkSync(join(packages, each), join(beside, each));
  symlinkSync(beside, join(folder, 'node_modules'));
  return folder;
}

/** Compiles a project that uses every entry of the package. The package's declarations are checked, too. */
export async function mustCompile(project: string): Promise<void> {
  cpSync(join(root, 'test', 'fixtures', 'consumer', 'consumer.ts'), join(project, 'consumer.ts'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}\n');
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noEmit',
    '--pretty',
    'false',
  ];
  const target = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--lib', 'esnext,dom'];
  const args = [join(packages, 'typescript', 'bin', 'tsc'), ...strict, ...target, 'consumer.ts'];
  const errors = await promisify(execFile)(process.execPath, args, { cwd: project }).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  );
  // vitest's own declarations name packages that its users need not have.
  const ours = errors.split('\n').filter((line) => /^consumer\.ts|rollup-devnet\//.test(line));
  expect(ours).toEqual([]);
}

/** Runs the tests of a project by vitest and returns its output. @throws Error with the output if a test fails */
export async function vitest(project: string, env: NodeJS.ProcessEnv, ...files: readonly string[]): Promise<string> {
  const args = [join(packages, 'vitest', 'vitest.mjs'), 'run', '--no-color', ...files];
  // This process is one of vitest itself.
  const clean = Object.entries(env).filter(
    ([name]) => !/^(VITEST|NODE_OPTIONS|TEST$|DEV$|PROD$|MODE$|SSR$)/.test(name),
  );
  return run(process.execPath, args, Object.fromEntries([...clean, ['INIT_CWD', project], ['PWD', project]]), project);
}

/** Runs the example of vitest with the installed package. It starts two networks. */
export async function mustRunExample(project: string, home: Home): Promise<void> {
  cpSync(join(root, 'examples', 'vitest'), project, { recursive: true });
  const report = await vitest(project, home.env, '--maxWorkers=1', 'deposit', 'fixture');
  expect(report).toMatch(/Tests +3 passed/);
}

/** Runs a test with the fixture of vitest that fails on a network that runs. */
export async function mustShowFailure(project: string, home: Home, name: string): Promise<void> {
  cpSync(join(root, 'test', 'fixtures', 'consumer', 'fails.test.ts'), join(project, 'fails.test.ts'));
  const env = { ...home.env, DEVNET_NAME: name };
  const failed = await vitest(project, env, '--testTimeout=60000', 'fails').catch(String);
  expect(failed).toMatch(/^failed: this fails$/m);
  expect(failed).toMatch(/main\/sequencer {2}unsafe \d+ safe \d+ finalized \d+ {2}0x/);
}

/** Runs a script that does with a network what the library can. SAMPLES=all: starts another one and withdraws, too. */
export async function mustServe(project: string, home: Home, name: string): Promise<void> {
  cpSync(join(root, 'test', 'fixtures', 'consumer', 'serve.mjs'), join(project, 'serve.mjs'));
  const extent = process.env['SAMPLES'] ?? '';
  const printed = await run(process.execPath, ['serve.mjs', name, extent], home.env, project);
  expect(JSON.parse(printed)).toEqual({
    name,
    deposit: ['success', '5'],
    reverted: '5',
    stale: 'SnapshotError',
    code: ['UnsupportedError', 'setCode'],
    balance: '12',
    mined: true,
    l1Mined: true,
    fork: 'SpecError',
    late: 'TimeoutError',
    misspelt: expect.stringContaining('did you mean block:3?'),
    behind: 'UsageError',
    ...(extent === 'all' ? { report: [true, true, 300], same: true, there: '5', withdrawn: 'success' } : {}),
    stopped: 'stopped',
    agree: true,
    scenario: ['passed', 'failed', 'skipped'],
    wrong: { name: 'SpecError', line: 5 },
    load: 5,
    events: true,
    logs: true,
    env: name,
    unknown: 'UsageError',
  });
}
