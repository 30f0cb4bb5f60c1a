import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT_PAGES } from './blocks.ts';
import { type Prose, proseOfCode, proseOfPage } from './prose.ts';
import { nodesOfChains, RULES, tooWide } from './rules.ts';

const root = resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'test', 'docs', 'examples', 'templates', 'devnets', '.github', '.changeset'];
const files = [
  ...ROOT_PAGES,
  ...['action.yml', 'Makefile'],
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ),
];
const texts = files
  .filter((file) => /\.(tsx?|md|ya?ml|sol|mjs|py|css|html)$|^Makefile$/.test(file))
  .filter((file) => !file.startsWith('test/writing/') && !file.includes('/node_modules/'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Returns the prose of a file whose kind has a reader of prose. */
function proseOf(file: string, text: string): readonly Prose[] {
  if (/\.tsx?$/.test(file)) return proseOfCode(file, text);
  return /\.(md|ya?ml)$/.test(file) ? proseOfPage(file, text) : [];
}

function findingsIn({ file, text }: { readonly file: string; readonly text: string }): string[] {
  const broken = proseOf(file, text).flatMap((piece) =>
    RULES.flatMap(({ name, files: scope = /^/, check }) => {
      const fault = scope.test(file) ? check(piece) : undefined;
      return fault === undefined ? [] : [`${file}:${piece.line} ${name}: ${fault}`];
    }),
  );
  // changesets puts the hash of a commit before a note's first line.
  const wide = file === 'CHANGELOG.md' ? [] : tooWide(text);
  const places = /\.tsx?$/.test(file) ? nodesOfChains(text) : [];
  return [
    ...broken,
    ...wide.map((line) => `${file}:${line} has more than 120 columns`),
    ...places.map((line) => `${file}:${line} names a node by "of", not as main/late`),
  ];
}

it('every file holds docs/writing.md', () => {
  expect(texts.flatMap(findingsIn)).toEqual([]);
});

describe('the rules', () => {
  const check = (kind: Prose['kind'], text: string) =>
    RULES.filter((rule) => rule.check({ kind, line: 1, text }) !== undefined).map(({ name }) => name);

  it.each<readonly [Prose['kind'], string, number]>([
    ['comment', 'Kills every process group that the supervisor started.', 0],
    ['comment', 'Whoever waits for the lock gets it next.', 1],
    ['comment', 'A socket is its lock and its door.', 1],
    ['docstring', `Returns ${'one more word and '.repeat(6)}nothing.`, 1],
    [
      'docstring',
      'Returns the head. The rest of the docstring may be as long as the reason for the function needs it to be.',
      0,
    ],
    ['comment', 'It starts; it waits; it ends.', 1],
    ['message', 'nobody listens there yet', 1],
    ['message', 'op-geth is no program of this package', 1],
    ['message', 'there is no devnet, and it is no longer up', 0],
    ['docstring', 'Reads a file. @throws Error where it is damaged', 1],
    ['docstring', 'Checks L1. @throws Error if it is not where it was', 0],
    ['docstring', 'Returns the head, undefined where the node has none.', 1],
    ['comment', 'All are read where there is no limit.', 1],
    ['comment', 'The gate stands where anvil would.', 0],
  ])('%s %j breaks %d', (kind, text, count) => {
    expect(check(kind, text)).toHaveLength(count);
  });

  it('finds a node that is named by its chain', () => {
    const code =
      "const a = `${nodes.join(', ')} of ${chain}`;\nconst b = `${count} of ${nodes.length}`;\n{node} of {chain}";
    expect(nodesOfChains(code)).toEqual([1, 3]);
  });

  it('finds prose in code by its syntax', () => {
    const source =
      '/** Who? */\nconst url = "http://x//y"; // One\n// and two.\nthrow new Error(`no such ${url} here at all`);';
    expect(proseOfCode('a.ts', source)).toEqual([
      { kind: 'docstring', line: 1, text: 'Who?' },
      { kind: 'comment', line: 2, text: 'One and two.' },
      { kind: 'message', line: 4, text: ' here at all' },
    ]);
  });

  it('leaves code blocks of pages out', () => {
    expect(proseOfPage('a.md', 'Text `who`\n\n    who\n```\nwho\n```\nmore')).toEqual([
      { kind: 'page', line: 1, text: 'Text ``' },
      { kind: 'page', line: 7, text: 'more' },
    ]);
  });
});
