import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FOLLOWED } from '../tutorial/pages.ts';
import { type Block, blocksOf, commandsOf, PAGES } from './blocks.ts';

const root = resolve(import.meta.dirname, '../..');
const blocks = PAGES.flatMap((page) => blocksOf(page));
const withCommands = blocks.filter((block) => commandsOf(block).length > 0);
const placeOf = ({ page, line }: Block) => `${page}:${line}`;
const isFollowed = ({ page }: Block) => Object.hasOwn(FOLLOWED, page);

describe('each block of commands in README and docs', () => {
  it('is run by a test, or says why not', () => {
    expect(withCommands.length).toBeGreaterThan(50);
    const open = withCommands.filter((block) => !isFollowed(block) && block.note === undefined);
    expect(open.map(placeOf)).toEqual([]);
  });

  it('names a test that reads its page, or has its commands', () => {
    const missing = blocks.flatMap((block) => {
      const file = /^run by (test\/\S+\.test\.ts)$/.exec(block.note ?? '')?.[1];
      if (file === undefined) return block.note?.startsWith('not run: ') === false ? [placeOf(block)] : [];
      return existsSync(join(root, file)) ? [] : [placeOf(block)];
    });
    expect(missing).toEqual([]);
  });

  it.each(Object.keys(FOLLOWED))('%s has commands to follow', (page) => {
    expect(blocksOf(page).flatMap(commandsOf).length).toBeGreaterThan(0);
  });

  it('has no loop without an end', () => {
    const endless = /\b(?:until|while)\b.*\bdo\b|\bfor \(\(;;\)\)/;
    const lines = blocks
      .filter(({ kind }) => ['console', 'sh', 'bash', 'indented', 'yaml'].includes(kind))
      .flatMap((block) => block.text.split('\n').map((line) => [placeOf(block), line.replace(/#.*$/, '')] as const));
    expect(lines.filter(([, line]) => endless.test(line))).toEqual([]);
  });

  it('shows as many steps of a scenario as its file has', () => {
    const shown = blocks.flatMap(({ text }) => [...text.matchAll(/^(\S+) passed: (\d+) of (\d+) steps/gm)]);
    expect(shown.length).toBeGreaterThan(1);
    for (const [, name, ...counts] of shown) {
      const { steps } = parse(readFileSync(join(root, 'devnets/scenarios', `${name}.yaml`), 'utf8'));
      expect(counts.map(Number), name).toEqual([steps.length, steps.length]);
    }
  });

  it('has targets of make that exist', () => {
    const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
    const targets = withCommands
      .flatMap(commandsOf)
      .flatMap((line) => [...line.matchAll(/(?:^|; ?)make ([\w-]+)/g)].map(([, target]) => target));
    expect(targets.length).toBeGreaterThan(1);
    expect(targets.filter((target) => !makefile.includes(`\n${target}:`))).toEqual([]);
  });
});
