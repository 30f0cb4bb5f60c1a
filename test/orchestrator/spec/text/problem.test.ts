import { describe, expect, it } from 'vitest';
import {
  inReadingOrder,
  type Problem,
  problemAt,
  renderProblems,
} from '../../../../src/orchestrator/spec/text/problem.ts';

const span = { source: { name: 'x.yaml', text: 'a: 1\nbc: 2\n' }, start: 5, end: 7 };

describe('a problem', () => {
  it('stands at the line and column of its span', () => {
    const place = { code: 'value', file: 'x.yaml', line: 2, column: 1, source: 'bc: 2', width: 2 };
    expect(problemAt(span, 'value', ['bc'], 'm')).toStrictEqual({ ...place, path: 'bc', message: 'm' });
    expect(problemAt(span, 'value', [], 'm', { allowed: 'x', nearest: 'y' })).toStrictEqual({
      ...place,
      path: '',
      message: 'm',
      allowed: 'x',
      nearest: 'y',
    });
  });

  it.each([
    [['a', 'b', 0], 'a.b.0'],
    [['a.b', 'c'], '"a.b".c'],
    [['a b'], '"a b"'],
    [['a"b'], '"a\\"b"'],
    [[''], ''],
  ])('at %j has the path %s', (path, text) => {
    expect(problemAt(span, 'value', path, '').path).toBe(text);
  });
});

const problem = (more: Partial<Problem> = {}): Problem => ({
  code: 'value',
  file: 'x.yaml',
  line: 7,
  column: 4,
  path: 'a.b',
  message: 'found 5',
  source: 'a: 5 # five',
  width: 1,
  ...more,
});

it('problems are read by file, then line, then column', () => {
  const places = [
    ['b', 1, 1],
    ['a', 2, 1],
    ['a', 1, 2],
    ['a', 1, 1],
    ['a', 10, 1],
  ] as const;
  const ordered = inReadingOrder(places.map(([file, line, column]) => problem({ file, line, column })));
  expect(ordered.map(({ file, line, column }) => `${file}${line}:${column}`)).toEqual([
    'a1:1',
    'a1:2',
    'a2:1',
    'a10:1',
    'b1:1',
  ]);
});

/** Lines of one problem as a user reads them. */
const lines = (more: Partial<Problem>, placeOf?: Parameters<typeof renderProblems>[1]) =>
  renderProblems([problem(more)], placeOf).split('\n');

describe('a problem is printed', () => {
  it('with its line, a caret, what is allowed and the nearest word', () => {
    expect(lines({ allowed: '1 to 4', nearest: 'six', line: 10 })).toEqual([
      'x.yaml:10:4: a.b: found 5',
      '  10 | a: 5 # five',
      '     |    ^',
      '  allowed: 1 to 4',
      '  did you mean "six"?',
    ]);
  });

  it('without a path when it is of the whole document', () => {
    expect(lines({ path: '' })).toEqual(['x.yaml:7:4: found 5', '  7 | a: 5 # five', '    |    ^']);
  });

  it('at the place that its path has for users', () => {
    const placeOf = (path: string) => (path === 'a.b' ? 'step 2' : undefined);
    expect(lines({}, placeOf)[0]).toBe('x.yaml:7:4: step 2: found 5');
    expect(lines({ path: 'c' }, placeOf)[0]).toBe('x.yaml:7:4: c: found 5');
  });

  it('with the tabs of its line before the caret, and without other control characters', () => {
    expect(lines({ source: '\ta\u001b: 5', column: 5, file: 'x\n', path: 'a\u202e', message: 'm\r' })).toEqual([
      'x·:7:5: a·: m·',
      '  7 | \ta·: 5',
      '    | \t   ^',
    ]);
  });

  const long = 'x'.repeat(130);
  it.each([
    [1, 0, [120, 0, 1]],
    [1, 500, [120, 0, 120]],
    [120, 20, [120, 119, 1]],
    [121, 20, [69, 59, 20]],
    [121, 100, [69, 59, 61]],
  ])('in column %i with a width of %i, cut to 120 columns', (column, width, [excerpt, indent, caret]) => {
    expect(lines({ source: long, column, width }).slice(1)).toEqual([
      `  7 | ${'x'.repeat(excerpt!)}`,
      `    | ${' '.repeat(indent!)}${'^'.repeat(caret!)}`,
    ]);
  });
});

it.each([
  [50, undefined],
  [51, 'and 1 more'],
  [60, 'and 10 more'],
])('the list of %i problems shows 50, and the number of the others', (count, rest) => {
  const parts = renderProblems(Array.from({ length: count }, () => problem())).split('\n\n');
  expect(parts.slice(50)).toEqual(rest === undefined ? [] : [rest]);
  expect(parts.slice(0, 50).every((part) => part.startsWith('x.yaml:7:4: '))).toBe(true);
});
