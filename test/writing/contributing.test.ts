import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { quietEnvironment } from '../quiet-environment.ts';
import { blocksOf } from './blocks.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
/** The files of the first change, by their paths. */
const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)```$/gm)].map(
  ([, path, text]) => [path!, text!] as const,
);
const lines = blocksOf('CONTRIBUTING.md').flatMap(({ kind, text }) => (kind === 'sh' ? text.split('\n') : []));
/** Commands of the page, those in its sentences too. */
const commands = [...lines, ...[...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!)];

const clone = mkdtempSync(join(tmpdir(), 'devnet-first-change-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Writes a file of the clone, with its folders. */
function write(path: string, text: string): void {
  mkdirSync(join(clone, dirname(path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}

describe('CONTRIBUTING.md', () => {
  it('runs programs that the clone installs', () => {
    const programs = commands.flatMap((line) => [...line.matchAll(/\bnpx ([\w-]+)/g)].map(([, name]) => name!));
    expect(new Set(programs)).toEqual(new Set(['devnet', 'vitest', 'biome', 'changeset']));
    expect(programs.filter((name) => !existsSync(join(root, 'node_modules', '.bin', name)))).toEqual([]);
  });

  it('names tests that exist', () => {
    const filters = commands.flatMap(
      (line) => /vitest\.config\.ts ([^#]*?)(?: -t .*)?(?: *#.*)?$/.exec(line)?.[1] ?? [],
    );
    const paths = filters.flatMap((text) => text.trim().split(/\s+/)).filter((name) => !name.endsWith('kinds/file'));
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((name) => globSync(`test/${name}*`, { cwd: root }).length === 0)).toEqual([]);
  });

  it('has a first change that compiles and whose test passes', async () => {
    expect(files.map(([path]) => path)).toEqual([
      'test/orchestrator/probe/kinds/file.test.ts',
      'src/orchestrator/probe/kinds/file.ts',
    ]);
    const imports = files.flatMap(([path, text]) =>
      [...text.matchAll(/from '(\.[^']+)'/g)].map(([, from]) => join(dirname(path), from!)),
    );
    for (const path of imports) write(path, `export * from '${join(root, path)}';\n`);
    for (const [path, text] of files) write(path, text);
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(clone, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['src', 'test'] }),
    );
    const run = (program: string, ...args: string[]) =>
      execa(join(root, 'node_modules', '.bin', program), args, {
        cwd: clone,
        env: quietEnvironment,
        all: true,
        reject: false,
      });
    expect(await run('tsc', '--noEmit')).toMatchObject({ exitCode: 0, all: '' });
    const { exitCode, all } = await run('vitest', 'run', '--root', clone);
    expect(exitCode, all).toBe(0);
  });
});
