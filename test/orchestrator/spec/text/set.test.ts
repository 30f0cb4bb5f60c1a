import { describe, expect, it } from 'vitest';
import { keySpanAt, spanAt } from '../../../../src/orchestrator/spec/text/positions.ts';
import { type Assignment, parseSet } from '../../../../src/orchestrator/spec/text/set.ts';
import { type Layer, plainOf } from '../../../../src/orchestrator/spec/text/yaml.ts';

/** The layer of an assignment without a fault. */
function layerOf(assignment: Assignment): Layer {
  const { layer, problems } = parseSet(assignment);
  expect(problems).toEqual([]);
  return layer!;
}
const text = ({ source, start, end }: ReturnType<typeof spanAt>) => source.text.slice(start, end);

describe('an assignment', () => {
  it.each([
    ['a=1', { a: 1 }],
    ['a.b.c=x', { a: { b: { c: 'x' } } }],
    ['a."b.c"=1', { a: { 'b.c': 1 } }],
    ['a["b.c"]=1', { a: { 'b.c': 1 } }],
    ['a["b"]["c"].d=1', { a: { b: { c: { d: 1 } } } }],
    ['"a=b"=1', { 'a=b': 1 }],
    ['""=1', { '': 1 }],
    ['a=b=c', { a: 'b=c' }],
    ['a=', { a: null }],
    ['a=[1, 2]', { a: [1, 2] }],
    ['a={ b: 1 }', { a: { b: 1 } }],
    ['a=[1,\n2]', { a: [1, 2] }],
    ['a=1 # one', { a: 1 }],
  ])('%j is a document', (assignment, value) => {
    expect(plainOf(layerOf(assignment))).toEqual(value);
  });

  it('of another option sets the value at the path of the option', () => {
    const source = { name: '--block-time', text: 'main=5' };
    const layer = layerOf({ path: ['chains', 'main', 'blockTime'], source });
    expect(plainOf(layer)).toEqual({ chains: { main: { blockTime: 5 } } });
    expect(layer.source).toBe(source);
    expect(text(spanAt([layer], ['chains', 'main', 'blockTime']))).toBe('5');
    expect(text(keySpanAt([layer], ['chains', 'main']))).toBe('main');
  });

  it('has the places of its keys and of its value', () => {
    const layer = layerOf('a."b.c"=[1, 2]');
    expect(text(keySpanAt([layer], ['a']))).toBe('a');
    expect(text(keySpanAt([layer], ['a', 'b.c']))).toBe('"b.c"');
    expect(text(spanAt([layer], []))).toBe('a');
    expect(spanAt([layer], ['a', 'b.c', 1])).toMatchObject({ start: 12, end: 13 });
    expect(spanAt([layerOf('ab=')], ['ab'])).toMatchObject({ start: 3, end: 4 });
  });

  it.each(['', 'a', '=1', 'a..b=1', '.a=1', 'a.=1', 'a[b]=1', 'a"b=1', 'a]=1', ' a"=1'])(
    'without a path and a value is refused: %j',
    (assignment) => {
      const { layer, problems } = parseSet(assignment);
      expect(layer).toBeUndefined();
      expect(problems).toMatchObject([
        { code: 'set', file: '--set', line: 1, column: 1, path: '', width: Math.max(1, assignment.length) },
      ]);
      expect(problems[0]?.allowed).toContain('path=value, such as chains.main.blockTime=1');
    },
  );

  it.each<[Assignment, number, number]>([
    ['a.__proto__.b=1', 3, 9],
    ['constructor=1', 1, 11],
    ['a."prototype"=1', 3, 11],
    [{ path: ['x', '__proto__'], source: { name: '--y', text: 'key=v' } }, 1, 3],
  ])('%j with a key of the language is refused at the key', (assignment, column, width) => {
    const { layer, problems } = parseSet(assignment);
    expect(layer).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'unknown-key', path: '', line: 1, column, width }]);
  });

  it('whose value is not YAML is refused at the fault', () => {
    const { layer, problems } = parseSet('a.b=[1');
    expect(layer).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'yaml', file: '--set', line: 1, column: 7 }]);
  });
});
