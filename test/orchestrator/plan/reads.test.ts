import { describe, expect, it } from 'vitest';
import type { PlannedFile } from '../../../src/orchestrator/plan/plan.ts';
import { readsOf, textsOf } from '../../../src/orchestrator/plan/reads.ts';
import { secretFiles } from '../../../src/orchestrator/plan/secret-files.ts';
import { parseText } from '../../../src/orchestrator/template/text.ts';

const file = (path: string, more: Partial<PlannedFile> = {}): PlannedFile => ({
  path,
  mode: 0o600,
  secret: false,
  content: { kind: 'text', text: `of ${path}` },
  ...more,
});

describe('the files that a task reads', () => {
  const files = ['/g/rollup.json', '/g/bundles/a.json', '/g/bundles/b.json', '/g/bundles-of-old.json', '/g/5'].map(
    (path) => file(path),
  );
  const values = { 'chain.rollup': '/g/rollup.json', 'chain.bundles': '/g/bundles', 'chain.id': 5, devnet: undefined };

  it.each([
    [['--config=${chain.rollup}'], ['/g/rollup.json']],
    [['${chain.bundles}'], ['/g/bundles/a.json', '/g/bundles/b.json']],
    [
      ['${chain.bundles}', 'x${chain.rollup}'],
      ['/g/rollup.json', '/g/bundles/a.json', '/g/bundles/b.json'],
    ],
    [['/g/rollup.json', '${chain.id}', '${devnet}'], []],
    [[], []],
  ])('are those that its references %j lead to', (texts, paths) => {
    expect(readsOf(texts.map(parseText), values, files)).toEqual(paths);
  });
});

it('the texts of arguments are those of single values and of lists', () => {
  const [a, b, c] = ['a', '${devnet}', 'c'].map(parseText);
  expect(textsOf({ one: a!, none: null, number: 5, on: true, many: [b!, c!], empty: [] })).toEqual([a, b, c]);
});

it('a secret is found in the file that holds it alone', () => {
  const files = [
    file('/jwt', { secret: true, content: { kind: 'text', text: 'hush\n' } }),
    file('/open', { content: { kind: 'text', text: 'public' } }),
    file('/other', { secret: true, content: { kind: 'upgrade-bundle', fork: 'jovian' } }),
  ];
  expect(secretFiles(files)).toEqual(new Map([['hush', '/jwt']]));
});
