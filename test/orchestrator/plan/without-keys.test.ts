import { describe, expect, it } from 'vitest';
import { isPresent, withoutKeys } from '../../../src/orchestrator/plan/without-keys.ts';

const document = { a: { b: { c: 1, d: null }, list: [{ x: 1 }] }, e: 2, '': { f: 3 } };

describe('a path of keys', () => {
  it.each<[string, boolean]>([
    ['e', true],
    ['a', true],
    ['a.b.c', true],
    ['a.b.d', true],
    ['a.b', true],
    ['a.list', true],
    ['.f', true],
    ['', true],
    ['b', false],
    ['a.c', false],
    ['e.c', false],
    ['a.b.c.x', false],
    ['a.b.d.x', false],
    ['a.list.0', false],
    ['a.list.length', false],
    ['a.list.0.x', false],
    ['toString', false],
    ['x.y.z', false],
  ])('%j leads to a value: %s', (path, present) => {
    expect(isPresent(document, path)).toBe(present);
    const rest = withoutKeys(JSON.stringify(document), [path]);
    expect(rest === withoutKeys(JSON.stringify(document), [])).toBe(!present);
    expect(isPresent(JSON.parse(rest), path)).toBe(false);
  });

  it.each([[null], [5], ['text'], [[1]]])('leads nowhere in the document %j', (value) => {
    expect(isPresent(value, 'length')).toBe(false);
    expect(isPresent(value, '0')).toBe(false);
    expect(JSON.parse(withoutKeys(JSON.stringify(value), ['0', 'length', 'a.b']))).toEqual(value);
  });
});

it('a copy lacks the keys at several paths, and keeps all else, indented by two spaces', () => {
  expect(withoutKeys(JSON.stringify(document), ['a.b.c', 'a.list', '.f', 'no.such'])).toBe(
    `${JSON.stringify({ a: { b: { d: null } }, e: 2, '': {} }, null, 2)}\n`,
  );
});
