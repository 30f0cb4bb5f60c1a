import { expect, it } from 'vitest';
import { isJsonObject, jsonField, jsonObjects } from '../../src/rpc/json-object.ts';

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [7, false],
])('a JSON value %j is an object: %j', (value, isObject) => {
  expect(isJsonObject(value)).toBe(isObject);
});

it.each([
  [{ a: 1 }, 1],
  [{ a: null }, null],
  [{ b: 1 }, undefined],
  [[1], undefined],
  [null, undefined],
  ['a', undefined],
])('the field "a" of a JSON value %j is %j', (value, field) => {
  expect(jsonField(value, 'a')).toBe(field);
});

it('a JSON list is one of objects, or is refused with what it is', () => {
  expect(jsonObjects([], 'peers')).toEqual([]);
  expect(jsonObjects([{ a: 1 }, {}], 'peers')).toEqual([{ a: 1 }, {}]);
  for (const value of [{}, [[]], [{}, 1], [null], 'a', undefined])
    expect(() => jsonObjects(value, 'peers'), JSON.stringify(value)).toThrow('peers: expected a list of objects');
});
