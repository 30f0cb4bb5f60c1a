import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** A block of code of a page. */
export interface Block {
  /** Path below the repository. */
  readonly page: string;
  /** Line of its first character, from 1. */
  readonly line: number;
  /** The word after the fence; `indented` for a block by four spaces. */
  readonly kind: string;
  readonly text: string;
  /** The comment before it: the test that runs it (`run by …`), or the reason for none (`not run: …`). */
  readonly note: string | undefined;
}

/** Pages of the repository's root. CHANGELOG.md is written by changesets from notes that the tests read. */
export const ROOT_PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'] as const;

/** Pages with blocks of code: those of the root, and all below docs but what is generated from code. */
export const PAGES: readonly string[] = [
  ...ROOT_PAGES,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('reference/'))
    .map((file) => `docs/${file}`)
    .toSorted(),
];

/** Returns the blocks of a page, in their order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const pattern =
    /^(?:<!-- ((?:run by|not run:) .*?) -->\n+)?(?:```(\w*)[^\n]*\n([\s\S]*?)^```$|((?: {4}.*\n|\n(?= {4}))+))/gm;
  return [...text.matchAll(pattern)].flatMap(({ index, 0: whole, 1: note, 2: kind, 3: fenced, 4: indented }) => {
    const inner = fenced ?? indented ?? '';
    // Four spaces continue a list's item.
    if (indented !== undefined && (inner.trim() === '' || /^\s*[-*] |^ {4}\S.*[.:]$/m.test(inner))) return [];
    const line = text.slice(0, index + whole.indexOf(inner)).split('\n').length;
    const body = fenced === undefined ? inner.replaceAll(/^ {4}/gm, '') : inner;
    return [{ page, line, kind: kind ?? 'indented', text: body, note }];
  });
}

/** The first word of a line that is a command. */
const PROGRAM = /^(?:devnet|npx|npm|make|eval|node|execution-client|docker|export|[A-Z_]+=|id=)\b/;

/** Returns the lines of a block that are commands: all after `$` in a console. */
export function commandsOf({ kind, text }: Block): readonly string[] {
  const lines = text.split('\n');
  if (kind === 'console') return lines.flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
  return kind === 'sh' || kind === 'indented' ? lines.filter((line) => PROGRAM.test(line)) : [];
}

/** Splits a line of a shell at spaces outside quotes. */
const wordsOf = (line: string) => [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word);

/** Returns the command lines of `devnet` in a line of a shell, each as its words. */
export function devnetLines(line: string): readonly (readonly string[])[] {
  const command = line.replace(/\s# .*$/, '');
  return [...command.matchAll(/(?<![\w./-])devnet ((?:"[^"]*"|'[^']*'|\$\([^)]*\)|[^;|&>)"'])*)/g)].map(
    ([, words = '']) => wordsOf(words),
  );
}
