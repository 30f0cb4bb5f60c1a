import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PENDING, REWRITTEN } from './pending.ts';
import { type Prose, proseOfCode, proseOfPage } from './prose.ts';
import { RULES, tooWide } from './rules.ts';

const root = resolve(import.meta.dirname, '../..');
const files = ['src', 'test', 'docs', 'templates', 'devnets', 'README.md'].flatMap((top) =>
  top.includes('.')
    ? [top]
    : readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`),
);
const texts = files
  .filter((file) => /\.(ts|md|ya?ml)$/.test(file) && !file.startsWith('test/writing/'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const folderOf = (file: string) =>
  REWRITTEN.some((folder) => file.startsWith(`${folder}/`))
    ? undefined
    : PENDING.find((folder) => file === folder || file.startsWith(`${folder}/`));

function findingsIn({ file, text }: { readonly file: string; readonly text: string }): string[] {
  const prose: readonly Prose[] = file.endsWith('.ts') ? proseOfCode(file, text) : proseOfPage(file, text);
  const broken = prose.flatMap((piece) =>
    RULES.flatMap(({ name, check }) => {
      const found = check(piece);
      return found === undefined ? [] : [`${file}:${piece.line} ${name}: ${found}`];
    }),
  );
  return [...broken, ...tooWide(text).map((line) => `${file}:${line} has more than 120 columns`)];
}

describe('docs/writing.md holds', () => {
  const findings = new Map(texts.map((each) => [each.file, findingsIn(each)]));

  it('in every file outside the folders still to be rewritten', () => {
    expect([...findings].flatMap(([file, found]) => (folderOf(file) === undefined ? found : []))).toEqual([]);
  });

  it.each(PENDING.map((folder) => [folder]))('%s still breaks a rule, else it leaves the list', (folder) => {
    expect([...findings].filter(([file, found]) => folderOf(file) === folder && found.length > 0)).not.toEqual([]);
  });
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
  ])('%s %j breaks %d', (kind, text, count) => {
    expect(check(kind, text)).toHaveLength(count);
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
