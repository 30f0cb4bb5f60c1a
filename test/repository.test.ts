import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const jsonOf = (path: string) => JSON.parse(textOf(path)) as Record<string, Record<string, unknown>>;
const makefile = textOf('Makefile');

describe('.editorconfig', () => {
  it('says what biome.json says', () => {
    const [, general = ''] = /^\[\*\]\n((?:.+\n)+)/m.exec(textOf('.editorconfig')) ?? [];
    const settings = Object.fromEntries(
      [...general.matchAll(/^(\w+) = (\S+)$/gm)].map(([, key, value]) => [key!, value!]),
    );
    const { indentStyle, indentWidth, lineWidth } = jsonOf('biome.json')['formatter']!;
    expect(settings).toMatchObject({
      indent_style: indentStyle,
      indent_size: String(indentWidth),
      max_line_length: String(lineWidth),
    });
  });
});

describe('.github/workflows/ci.yml', () => {
  interface Job {
    readonly strategy?: { readonly matrix: { readonly os: readonly string[]; readonly node: readonly number[] } };
    readonly steps: readonly { readonly run?: string }[];
  }
  const { jobs } = parse(textOf('.github/workflows/ci.yml')) as { readonly jobs: Readonly<Record<string, Job>> };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split(' && ')));

  it('tests Linux and macOS, from the oldest Node that package.json allows', () => {
    const { os, node } = jobs['test']!.strategy!.matrix;
    expect(os.map((name) => name.split('-')[0])).toEqual(['ubuntu', 'macos']);
    const [, oldest] = /^>=(\d+)/.exec(String(jsonOf('package.json')['engines']!['node'])) ?? [];
    expect(node[0]).toBe(Number(oldest));
  });

  it('runs lint and tests, by targets of make that exist', () => {
    const targets = commands.flatMap((line) => /^make (\S+)$/.exec(line)?.[1] ?? []);
    expect(targets).toEqual(expect.arrayContaining(['lint', 'test']));
    expect(targets.filter((target) => !makefile.includes(`\n${target}:`))).toEqual([]);
  });
});

describe('issue forms', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(join(root, folder)).filter((file) => file !== 'config.yml');

  it.each(forms)('%s has a name, a description and fields with unique ids', (file) => {
    const { name, description, body } = parse(textOf(`${folder}/${file}`)) as {
      readonly name: string;
      readonly description: string;
      readonly body: readonly { readonly type: string; readonly id?: string }[];
    };
    expect([name, description]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    const ids = body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
  });
});

describe('.ci/run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-ci-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Runs the script with a `make` whose targets end with these codes, and `make test` with a result of its runner.
   * Its Python makes no environment, so that nothing is installed from a registry.
   */
  const run = (style: number, test: number) => {
    const result = `7 passed, ${test} failed, 2 skipped`;
    const make = `#!/bin/sh\n[ "$1" = style ] && exit ${style}\necho '${result}'\nexit ${test}\n`;
    writeFileSync(join(folder, 'make'), make, { mode: 0o755 });
    writeFileSync(join(folder, 'python3'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    return execa('bash', [join(root, '.ci', 'run')], { env, reject: false });
  };

  it.each([
    [0, 0, 0, '7 passed, 0 failed'],
    [3, 0, 3, '7 passed, 0 failed'],
    [0, 1, 1, '7 passed, 1 failed'],
    [3, 1, 1, '7 passed, 1 failed'],
  ])('ends with the line of the runner when lint ends with %d and tests with %d', async (style, test, code, line) => {
    const { stdout, stderr, exitCode } = await run(style, test);
    expect(exitCode).toBe(code);
    expect(stdout.split('\n').at(-1)).toBe(line);
    expect(stderr.includes('lint failed')).toBe(style > 0);
  });

  it('lints what tests do not check: format and rules, dead code, the package', () => {
    expect(makefile).toMatch(/^style: .*\n\tbiome check\n\tknip\n\tpublint --strict\n/m);
  });
});

describe('src/build/install.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-install-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('counts archives, drops noise, shows what remains, and ends with the code of npm', async () => {
    const fetched = Array.from(
      { length: 120 },
      (_, n) => `npm http cache p${n}@https://r.test/p-${n}.tgz 0ms (cache hit)`,
    );
    const noise = ['npm warn EBADENGINE   package: x', 'npm http fetch GET 200 https://r.test/p 5ms (cache miss)'];
    const lines = [...noise, ...fetched, 'npm error code E404', 'arguments: $*'];
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat <<EOF\n${lines.join('\n')}\nEOF\nexit 3\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const { stdout, exitCode } = await execa('bash', [join(root, 'src/build/install.sh'), 'ci'], {
      env,
      reject: false,
    });
    expect(exitCode).toBe(3);
    const [first, second, ...others] = stdout.split('\n');
    expect([first, second]).toEqual(['50 packages', '100 packages']);
    expect(others).toEqual([
      'npm error code E404',
      'arguments: ci --no-audit --no-fund --loglevel=http --foreground-scripts',
    ]);
  });
});

describe('the history', () => {
  /** The largest text is package-lock.json. The largest picture is a screenshot of the logs. */
  const MAX_FILE_BYTES = 500_000;

  it.runIf(existsSync(join(root, '.git')))('holds no file that was added by mistake: all are small', async () => {
    const { stdout } = await execa('git', ['ls-files', '-z'], { cwd: root });
    const tracked = stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
    expect(tracked.length).toBeGreaterThan(1000);
    expect(tracked.filter((path) => statSync(join(root, path)).size > MAX_FILE_BYTES)).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('has the version of package.json first', () => {
    const [, newest] = /^## (\S+)$/m.exec(textOf('CHANGELOG.md')) ?? [];
    expect(newest).toBe(String(jsonOf('package.json')['version']));
  });

  it('gets notes that name this package and a kind of change', () => {
    const notes = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md');
    const headed = /^---\n"rollup-devnet": (?:patch|minor|major)\n---\n\n\S/;
    expect(notes.filter((file) => !headed.test(textOf(`.changeset/${file}`)))).toEqual([]);
  });
});
