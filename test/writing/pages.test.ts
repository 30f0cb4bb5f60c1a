import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT_PAGES } from './blocks.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = [...ROOT_PAGES, ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(inDocs)]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const sources = ['src', 'test'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((file) => `/${top}/${file}`),
);

function inDocs(file: string): string {
  return join('docs', file);
}

/** Returns a page without its code blocks. */
function proseOf(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '');
}

describe.each(pages)('$file', ({ file, text }) => {
  it('links to files that exist', () => {
    const targets = [...proseOf(text).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
  });

  it('names source files that exist', () => {
    const paths = [...proseOf(text).matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names files by the end of a path that exists', () => {
    const paths = [...proseOf(text).matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => path!);
    expect(paths.filter((path) => !sources.some((source) => source.endsWith(`/${path}`)))).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('links to every page of docs', () => {
    const { text } = pages.find(({ file }) => file === 'docs/README.md')!;
    const targets = [...text.matchAll(/\]\(([^)#:]+)/g)].map(([, target]) => join('docs', target!));
    const others = pages.map(({ file }) => file).filter((file) => /^docs\/(?!README)/.test(file));
    expect(others.filter((file) => !targets.includes(file))).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  const { text } = pages.find(({ file }) => file === 'docs/glossary.md')!;
  const rows = text
    .split('\n')
    .filter((line) => /^\| (?!term )/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map((cells) => cells.slice(1, -1));

  it('gives each term a file below src', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((cells) => cells.length !== 3 || !existsSync(join(root, 'src', cells[2]!)))).toEqual([]);
  });

  it('defines each term once', () => {
    const terms = rows.map(([term]) => term!);
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
  });
});
