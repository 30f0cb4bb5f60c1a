import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, root } from '../e2e/devnet.ts';
import { type Block, blocksOf, commandsOf } from '../writing/blocks.ts';
import { ENDLESS, FOLLOWED, type Follow } from './pages.ts';

/** A part of the page that is followed: a file to write, or a command with lines of its output. */
type Part =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string; readonly output: readonly string[] };

/** Reads the parts of a page. */
function partsOf(page: string): readonly Part[] {
  const text = readFileSync(join(root, page), 'utf8');
  return blocksOf(page).flatMap((block): readonly Part[] => {
    if (block.note !== undefined) return [];
    if (block.kind !== 'yaml' && block.kind !== 'js') return commandPartsOf(block);
    // The text before a file names it. Another test has blocks without a name.
    const fileName = new RegExp(`\`([\\w-]+\\.${block.kind === 'js' ? 'mjs' : 'yaml'})\``, 'g');
    const before = text
      .split('\n')
      .slice(0, block.line - 1)
      .join('\n');
    const file = [...before.matchAll(fileName)].at(-1)?.[1];
    return file === undefined ? [] : [{ kind: 'file', name: file, text: block.text }];
  });
}

/** Returns the commands of a block. One of a shell without output is a script. */
function commandPartsOf(block: Block): readonly Part[] {
  if (block.kind === 'console')
    return block.text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => part.trimEnd().split('\n'))
      .map(([line = '', ...output]) => ({ kind: 'command', line, output }));
  const lines = commandsOf(block);
  if (lines.length === 0) return [];
  const scripts = block.kind === 'sh' ? [`set -e\n${block.text}`] : lines;
  return scripts.map((line) => ({ kind: 'command', line, output: [] }));
}

/** Matches a line of the page, in which `…` stands for any text. In a transcript numbers and hashes are any others. */
function patternOf(line: string, transcript: boolean): RegExp {
  const words = line
    .trim()
    .replace('~/.local/state/devnet', '…')
    .split('…')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const text = words.join('.*').replaceAll(/ +/g, ' +');
  const loose = text.replaceAll(/0x[0-9a-f]{8,}|\d+/g, (word) => (word.startsWith('0x') ? '0x[0-9a-f]+' : '\\d+'));
  return new RegExp(transcript ? loose : text, 'm');
}

/** Commands that only read, which a reader repeats until the network is that far. */
const READS = /^npx devnet (?:tx|block|status|forks)\b/;

const OTHER = 'mkdir other && cd other && devnet up -d --name other --ready-budget 300s';

type Run = readonly [title: string, page: string, follow: Follow];

/** The pages in their order, each as often as it is followed. */
const RUNS = Object.entries(FOLLOWED).flatMap(([page, follow]): readonly Run[] => {
  const beside = { ...follow, before: [OTHER, ...(follow.before ?? [])] };
  return [[page, page, follow], ...(follow.beside ? [[`${page} beside another devnet`, page, beside] as const] : [])];
});

describe.each(RUNS)('%s', (_title, page, { spec, before = [], instead = [], transcript = false, without = {} }) => {
  const parts = partsOf(page).map((part) => [part.kind === 'file' ? part.name : part.line, part] as const);
  let home: Home;

  /** Runs a command of the page as bash does. One that ends by Ctrl-C alone gets it when it does its work. */
  async function run(line: string) {
    const [, prints] = ENDLESS.find(([command]) => command.test(line)) ?? [];
    const child = execa('/bin/bash', ['-c', line], {
      // Ctrl-C goes to all processes of the terminal's group.
      detached: prints !== undefined,
      ...{ cwd: home.folder, env: { ...home.env, BROWSER: 'true' }, all: true, reject: false, timeout: 300_000 },
    });
    let output = '';
    let isOver = false;
    child.all.on('data', (part: Buffer) => {
      output += part.toString();
      if (isOver || prints === undefined || child.pid === undefined || !prints.test(output)) return;
      isOver = true;
      process.kill(-child.pid, 'SIGINT');
    });
    const { all, exitCode, signal } = await child;
    // npx ends by the signal itself.
    return { all, exitCode: exitCode ?? signal, expected: prints === undefined ? [0] : [130, 'SIGINT'] };
  }

  beforeAll(async () => {
    home = new Home({ PATH: `${root}/node_modules/.bin:${process.env['PATH']}` });
    install(home.folder);
    if (spec !== undefined) writeFileSync(join(home.folder, 'devnet.yaml'), spec);
    for (const line of before) expect(await run(line)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => home[Symbol.asyncDispose]());

  it.each(parts)('%s', async (_, part) => {
    if (part.kind === 'file') return writeFileSync(join(home.folder, part.name), part.text);
    if (part.line.startsWith('npm install rollup-devnet')) return;
    if (Object.keys(without).some((start) => part.line.startsWith(start))) return;
    const line = instead.reduce((text, [from, by]) => text.replaceAll(from, by), part.line);
    const end = performance.now() + 120_000;
    const patterns = part.output.map((text) => patternOf(text, transcript));
    const isThere = (all = '') => patterns.every((pattern) => pattern.test(all));
    let outcome = await run(line);
    while (READS.test(part.line) && !isThere(outcome.all) && performance.now() < end) outcome = await run(line);
    // A check of a network that diverges fails, as the page says.
    const diverges = line.endsWith('check --explain') && part.output.length > 0;
    expect(diverges ? [1] : outcome.expected, outcome.all).toContain(outcome.exitCode);
    for (const pattern of patterns) expect(outcome.all).toMatch(pattern);
  });
});

/** Installs this package as npm does, without its registry: by links. A test of the tarball installs it whole. */
function install(folder: string): void {
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'rollup-devnet'));
  symlinkSync(join(root, 'node_modules', 'viem'), join(folder, 'node_modules', 'viem'));
  symlinkSync('../rollup-devnet/dist/devnet.js', join(folder, 'node_modules', '.bin', 'devnet'));
}
