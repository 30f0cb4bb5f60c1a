import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  at,
  edit,
  isList,
  isMap,
  type Json,
  mapValues,
  type Path,
} from '../../../../src/orchestrator/spec/schema/json.ts';
import {
  branches,
  type JsonSchema,
  jsonSchemaOf,
  keysIn,
  keysOf,
  schemasAt,
} from '../../../../src/orchestrator/spec/schema/json-schema.ts';

it.each<[Json | undefined, boolean, boolean]>([
  [{}, true, false],
  [[], false, true],
  [null, false, false],
  ['x', false, false],
  [undefined, false, false],
])('the value %j is a map: %s, and a list: %s', (value, map, list) => {
  expect([isMap(value), isList(value)]).toEqual([map, list]);
});

const document = { a: { b: [1, { c: 2 }], d: null }, e: 'x' };

describe('a value at a path', () => {
  it.each<[Path, Json | undefined]>([
    [[], document],
    [['a', 'b', 0], 1],
    [['a', 'b', '1', 'c'], 2],
    [['a', 'b', 7], undefined],
    [['a', 'd'], null],
    [['a', 'd', 'x'], undefined],
    [['e', 0], undefined],
    [['toString'], undefined],
    [['a', 'b', 'length'], undefined],
  ])('%j is %j', (path, value) => {
    expect(at(document, path)).toEqual(value);
  });
});

describe('an edit', () => {
  it.each<[Path, Json]>([
    [['e'], { ...document, e: ['x', 'e'] }],
    [['a', 'd'], { ...document, a: { ...document.a, d: [null, 'a', 'd'] } }],
    [['a', 'b', 0], { ...document, a: { ...document.a, b: [[1, 'a', 'b', 0], { c: 2 }] } }],
    [['a', 'b', '1', 'c'], { ...document, a: { ...document.a, b: [1, { c: [2, 'a', 'b', 1, 'c'] }] } }],
    [['nope', 'x'], document],
    [['e', 'x'], document],
    [['a', '*', 'c'], document],
    [['*', 'd'], { ...document, a: { ...document.a, d: [null, 'a', 'd'] } }],
  ])('at %j changes the values there, which it knows with their keys', (path, changed) => {
    expect(edit(document, path, (value, keys) => [value, ...keys])).toEqual(changed);
  });

  it('removes values that become undefined, of maps and of lists', () => {
    expect(edit(document, ['a', 'b', 0], () => undefined)).toEqual({ ...document, a: { b: [{ c: 2 }], d: null } });
    expect(edit(document, ['*'], () => undefined)).toEqual({});
    expect(document.e).toBe('x');
  });

  it.each<[string, Json, Path, Json]>([
    ['a list within a list', [['x', 5], 'y'], [0, 1], [['x'], 'y']],
    ['a value below nothing', [null, 'y'], [0, 'z'], [null, 'y']],
  ])('keeps %s', (_, value, path, changed) => {
    expect(edit(value, path, () => undefined)).toEqual(changed);
  });

  it('of each value of a map leaves out entries without one', () => {
    const change = (value: number, key: string) => (value === 2 ? undefined : `${key}${value}`);
    expect(Object.entries(mapValues({ a: 1, b: 2, c: undefined, d: 0 }, change))).toEqual([
      ['a', 'a1'],
      ['d', 'd0'],
    ]);
  });
});

describe('the JSON schema of a schema', () => {
  const inner = z.strictObject({ y: z.number(), x: z.string() });
  const schema = z.strictObject({
    one: inner,
    either: z.union([z.string(), inner, z.union([z.strictObject({ z: z.null() }), z.null()])]),
    list: z.array(inner),
    record: z.record(z.string(), inner),
  });

  it.each<[Path, readonly string[]]>([
    [[], ['either', 'list', 'one', 'record']],
    [['one'], ['x', 'y']],
    [['either'], ['x', 'y', 'z']],
    [['list'], []],
    [
      ['list', 3],
      ['x', 'y'],
    ],
    [
      ['record', 'any'],
      ['x', 'y'],
    ],
    [['record'], []],
    [['one', 'x'], []],
    [['nope'], []],
    [['toString'], []],
    [['one', 0], []],
  ])('has at %j the keys %j', (path, keys) => {
    expect(keysOf(schema, path)).toEqual(keys);
  });

  it('is made once', () => {
    expect(jsonSchemaOf(schema)).toBe(jsonSchemaOf(schema));
    expect(jsonSchemaOf(inner)).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('has alternatives at any depth', () => {
    const [a, b, c]: JsonSchema[] = [{ type: 'a' }, { type: 'b' }, { type: 'c' }];
    expect(branches({ anyOf: [a!, { anyOf: [b!, c!] }] })).toEqual([a, b, c]);
    expect(branches(a!)).toEqual([a]);
    expect(keysIn([{ properties: { k: a! } }, { anyOf: [{ properties: { k: b!, j: b! } }, c!] }])).toEqual(['j', 'k']);
  });

  it('has the schema of a key before that of other keys, and none where a boolean allows them', () => {
    const both = { properties: { k: { type: 'a' } }, additionalProperties: { type: 'b' } };
    expect(schemasAt(both, ['k'])).toEqual([{ type: 'a' }]);
    expect(schemasAt(both, ['j'])).toEqual([{ type: 'b' }]);
    expect(schemasAt({ additionalProperties: true }, ['j'])).toEqual([]);
    expect(schemasAt({}, ['j'])).toEqual([]);
  });
});
