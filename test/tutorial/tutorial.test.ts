import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';

/** A part of the page that is followed: a file to write, or a command with lines of its output. */
type Part =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string; readonly output: readonly string[] };

/** Reads the parts of a page of the documentation. */
function partsOf(name: string): readonly Part[] {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  return [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(({ index, 1: kind, 2: text = '' }): Part[] => {
    if (kind === 'yaml' || kind === 'js') {
      // The text before a file names it. Another test has blocks without a name.
      const named = new RegExp(`\`([\\w-]+\\.${kind === 'js' ? 'mjs' : 'yaml'})\``, 'g');
      const file = [...page.slice(0, index).matchAll(named)].at(-1)?.[1];
      return file === undefined ? [] : [{ kind: 'file', name: file, text }];
    }
    expect(kind, 'a kind of block that this test cannot follow').toBe('console');
    return text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => part.trimEnd().split('\n'))
      .map(([line = '', ...output]) => ({ kind: 'command', line, output }));
  });
}

/** Matches a line of the page, in which `…` stands for any text. */
function patternOf(line: string): RegExp {
  const words = line
    .trim()
    .split('…')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(words.join('.*').replaceAll(/ +/g, ' +'), 'm');
}

describe.each([
  'tutorial.md',
  'how-to/browser-wallet.md',
  'how-to/debug-divergence.md',
  'how-to/deposit.md',
  'how-to/fork-activation.md',
  'how-to/many-chains.md',
])('%s', (name) => {
  const parts = partsOf(name).map((part) => [part.kind === 'file' ? part.name : part.line, part] as const);
  let home: Home;
  beforeAll(() => {
    home = new Home();
    install(home.folder);
  });
  afterAll(async () => home[Symbol.asyncDispose]());

  it.each(parts)('%s', async (_, part) => {
    if (part.kind === 'file') return writeFileSync(join(home.folder, part.name), part.text);
    if (part.line.startsWith('npm install rollup-devnet')) return;
    const { all, exitCode } = await execa('/bin/bash', ['-c', part.line], {
      ...{ cwd: home.folder, env: home.env, all: true, reject: false, timeout: 300_000 },
    });
    // A check of a network that diverges fails, as the page says.
    expect(exitCode, all).toBe(part.line.endsWith('check --explain') ? 1 : 0);
    for (const line of part.output) expect(all).toMatch(patternOf(line));
  });
});

/** Installs this package as npm does, without its registry: by links. A test of the tarball installs it whole. */
function install(folder: string): void {
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'rollup-devnet'));
  symlinkSync(join(root, 'node_modules', 'viem'), join(folder, 'node_modules', 'viem'));
  symlinkSync('../rollup-devnet/dist/devnet.js', join(folder, 'node_modules', '.bin', 'devnet'));
}
