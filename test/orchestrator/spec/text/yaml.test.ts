import { describe, expect, it } from 'vitest';
import { spanAt } from '../../../../src/orchestrator/spec/text/positions.ts';
import type { Source } from '../../../../src/orchestrator/spec/text/source.ts';
import { layerAt, parseYaml, plainOf, scalarAt, spanOf } from '../../../../src/orchestrator/spec/text/yaml.ts';

/** The value of a text, and its problems as `code line:column path: message`. */
function read(text: string, more: Partial<Source> = {}) {
  const { layer, problems } = parseYaml({ name: 'x', text, ...more });
  return {
    value: layer === undefined ? undefined : plainOf(layer),
    problems: problems.map(({ code, line, column, path, message }) => `${code} ${line}:${column} ${path}: ${message}`),
  };
}

const OPEN = 'not YAML: flow sequence in block collection must be sufficiently indented and end with a ]';
const RULES = 'one document, indented by spaces, in which each quote, { and [ is closed';

describe('a document', () => {
  it.each([
    ['', {}],
    ['# a comment', {}],
    ['null', null],
    ['a: 1\nb: [x, true, null, 1.5]', { a: 1, b: ['x', true, null, 1.5] }],
    ['a:\nb: ~', { a: null, b: null }],
    ['{ a, b: 1 }', { a: null, b: 1 }],
    ['? a', { a: null }],
    ['1: x\ntrue: y', { 1: 'x', true: 'y' }],
    ['a: 2026-01-01\nb: 0x1f\nc: yes\nd: 0b1', { a: '2026-01-01', b: 31, c: 'yes', d: '0b1' }],
    ['a: !!str 5\nb: !!int 5\nc: !!seq [1]\nd: !!map { x: !!null null }', { a: '5', b: 5, c: [1], d: { x: null } }],
    ['a: !!bool true\nb: !!float 1.5', { a: true, b: 1.5 }],
    ['%YAML 1.1\n---\na: yes\nb: 017', { a: 'yes', b: 17 }],
  ])('%j is plain data', (text, value) => {
    expect(read(text)).toEqual({ value, problems: [] });
  });

  it.each([
    ['a: [1', ['yaml 1:6 : not YAML: flow sequence']],
    ['a: 1\n---\nb: 2', ['yaml 2:1 : a second YAML document begins here']],
    ['%X y\n---\na: 1', ['yaml 1:1 : not YAML: unknown directive']],
  ])('%j is none', (text, starts) => {
    const { value, problems } = read(text);
    expect(value).toBeUndefined();
    expect(problems.map((problem, index) => problem.slice(0, starts[index]?.length))).toEqual(starts);
  });

  it('that is too deep or no YAML is reported with what is allowed', () => {
    const problemsOf = (text: string) => parseYaml({ name: 'x', text }).problems;
    expect(read('['.repeat(65))).toEqual({
      value: undefined,
      problems: ['too-deep 1:65 : nested deeper than 64 levels'],
    });
    expect(problemsOf('a: [1')).toMatchObject([{ width: 1, allowed: RULES, message: OPEN }]);
    expect(problemsOf('a: 1\n---\nb: 2')).toMatchObject([
      { width: 3, allowed: 'one document, with nothing after "---" or "..."' },
    ]);
  });

  it('within a larger one keeps its places in the whole text', () => {
    const text = 'steps: []\nspec:\n  a: 1\n';
    const { layer } = parseYaml({ name: 'x', text, under: ['spec'] });
    expect(plainOf(layer!)).toEqual({ a: 1 });
    expect(spanAt([layer!], ['a'])).toMatchObject({ start: 21, end: 22 });
    expect(read(text, { under: ['nope'] }).value).toBeNull();
    expect(read('a: 1', { under: ['a', 'b'] }).value).toBeNull();
    expect(plainOf(layerAt(parseYaml({ name: 'x', text }).layer!, ['spec', 'a']))).toBe(1);
  });
});

describe('what no document may hold', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a: !x 1\nb: 2', { b: 2 }, ['tag 1:7 a: the tag "!x" has no meaning here']],
    ['a: !!binary aGk=', {}, ['tag 1:13 a: the tag "tag:yaml.org,2002:binary" has no meaning here']],
    ['[!!set {}, 1]', [1], ['tag 1:8 0: the tag "tag:yaml.org,2002:set" has no meaning here']],
    ['a: !!timestamp nope', {}, ['tag 1:16 a: the tag "tag:yaml.org,2002:timestamp" has no meaning here']],
    ['!x 1', {}, ['tag 1:4 : the tag "!x" has no meaning here']],
    ['a: 1\na: 2\nb: 3', { a: 1, b: 3 }, ['duplicate-key 2:1 a: the key "a" stands here twice']],
    ['1: a\n"1": b', { 1: 'a' }, ['duplicate-key 2:1 1: the key "1" stands here twice']],
    ['x: { constructor: 1, b: 2 }', { x: { b: 2 } }, ['unknown-key 1:6 x.constructor: "constructor" cannot be a key']],
    ['__proto__: 1', {}, ['unknown-key 1:1 __proto__: "__proto__" cannot be a key']],
    ['prototype: 1', {}, ['unknown-key 1:1 prototype: "prototype" cannot be a key']],
    ['x:\n  ? [a]\n  : 1\n  b: 2', { x: { b: 2 } }, ['type 2:5 x: a key that is not a plain word']],
    ['null: 1\nb: 2', { b: 2 }, ['type 1:1 : a key that is not a plain word']],
    ['? *x\n: 1', {}, ['type 1:3 : a key that is not a plain word']],
    ['a: *x\nb: [*x, 1]', { b: [1] }, ['a', 'b.0'].map((path, at) => `aliases ${at + 1}:${4 + at} ${path}: NO`)],
  ])('%j is removed and reported', (text, value, problems) => {
    const none = 'the alias "*x" has no anchor before it';
    expect(read(text)).toEqual({ value, problems: problems.map((problem) => problem.replace('NO', none)) });
  });
});

describe('an alias', () => {
  it.each<[string, unknown]>([
    ['a: &x { b: 1 }\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    ['a: &x [&x 1, *x]\nb: *x', { a: [1, 1], b: 1 }],
  ])('%j has the value of its anchor', (text, value) => {
    expect(read(text)).toEqual({ value, problems: [] });
  });

  it.each([
    ['a: &x [1, *x]', { a: [1] }],
    ['a: &x 1\nb: &x [*x]', { a: 1, b: [] }],
  ])('%j has no anchor within the value that it names', (text, value) => {
    expect(read(text)).toMatchObject({ value, problems: [expect.stringMatching(/^aliases .*"\*x" has no anchor/)] });
  });

  it('has a copy of the value', () => {
    const { layer } = parseYaml({ name: 'x', text: 'a: &x { b: 1 }\nc: *x' });
    layer!.document.setIn(['c', 'b'], 2);
    expect(plainOf(layer!)).toEqual({ a: { b: 1 }, c: { b: 2 } });
  });
});

describe('the limits of a document that grows', () => {
  const list = (count: number, item: string) => `[${Array(count).fill(item).join(',')}]`;
  const GROWS = expect.stringMatching(/^aliases .* the document grows too large when its aliases are followed$/);

  it.each([
    ['20,000 values', list(19_999, '0'), true],
    ['20,001 values', list(20_000, '0'), false],
    ['100 aliases', `a: &x 0\nb: ${list(100, '*x')}`, true],
    ['101 aliases', `a: &x 0\nb: ${list(101, '*x')}`, false],
    ['100 aliases, most of them within others', `a: &x 0\nb: &y ${list(9, '*x')}\nc: ${list(9, '*y')}\nd: *x`, true],
    [
      '100 aliases, one of them before others within others',
      `a: &x 0\nd: [*x]\nb: &y ${list(9, '*x')}\nc: ${list(9, '*y')}`,
      true,
    ],
    ['101 aliases, most within others', `a: &x 0\nb: &y ${list(9, '*x')}\nc: ${list(9, '*y')}\nd: [*x,*x]`, false],
    ['20,000 values with those of aliases', `a: &x ${list(198, '0')}\nb: ${list(99, '*x')}\nc: ${list(97, '0')}`, true],
    ['20,000 values, the last of an alias', `c: ${list(97, '0')}\na: &x ${list(198, '0')}\nb: ${list(99, '*x')}`, true],
    ['20,001 values, the last one plain', `a: &x ${list(198, '0')}\nb: ${list(99, '*x')}\nc: ${list(98, '0')}`, false],
    [
      '20,001 values, the last of an alias',
      `c: ${list(98, '0')}\na: &x ${list(198, '0')}\nb: ${list(99, '*x')}`,
      false,
    ],
  ])('%s', (_, text, isAllowed) => {
    expect(read(text).problems).toEqual(isAllowed ? [] : [GROWS]);
  });

  it('are reported once, with what is allowed', () => {
    const { problems } = parseYaml({ name: 'x', text: `a: &x 0\nb: ${list(120, '*x')}` });
    expect(problems).toMatchObject([{ path: 'b.100', allowed: 'at most 100 aliases and 20000 values' }]);
  });
});

it('a node without a place stands at the beginning, and one without length covers a letter', () => {
  const source = { name: 'x', text: 'ab' };
  expect(spanOf(source, null)).toEqual({ source, start: 0, end: 1 });
  const empty = scalarAt(1, { range: [2, 2, 2] } as unknown as Parameters<typeof scalarAt>[1]);
  expect(empty.value).toBe(1);
  expect(spanOf(source, empty)).toEqual({ source, start: 2, end: 3 });
});
