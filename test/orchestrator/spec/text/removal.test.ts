import { describe, expect, it } from 'vitest';
import type { Json, Path } from '../../../../src/orchestrator/spec/schema/json.ts';
import { ListPlaces, startsWith, withoutAll } from '../../../../src/orchestrator/spec/text/removal.ts';

it.each([
  [['a', 'b'], ['a'], true],
  [['a'], ['a'], true],
  [['a'], [], true],
  [['a'], ['a', 'b'], false],
  [['b', 'a'], ['a'], false],
  [['a', 0], ['a', '0'], true],
])('the path %j starts with %j: %s', (path, prefix, starts) => {
  expect(startsWith(path, prefix)).toBe(starts);
});

describe('the places of items in lists of which some are removed', () => {
  /** Returns the places of what is left of a list. Each item goes by its index at that moment. */
  const left = (removed: readonly number[], count: number) => {
    const places = new ListPlaces();
    for (const index of removed) places.remove(['list', index]);
    return Array.from({ length: count }, (_, index) => places.of(['list', index]).at(-1));
  };

  it.each([
    [[], [0, 1, 2]],
    [[0], [1, 2, 3]],
    [[1], [0, 2, 3]],
    [[5], [0, 1, 2]],
    [
      [1, 1],
      [0, 3, 4],
    ],
    [
      [2, 0],
      [1, 3, 4],
    ],
    [
      [0, 2],
      [1, 2, 4],
    ],
    [
      [11, 1],
      [0, 2, 3],
    ],
    [
      [9, 10, 1, 0],
      [2, 3, 4],
    ],
  ])('count those that went before them: %j leaves %j', (removed, expected) => {
    expect(left(removed, expected.length)).toEqual(expected);
  });

  it('are those of the document in each list of a path', () => {
    const places = new ListPlaces();
    places.remove(['a', 0]);
    places.remove(['a', 0, 'b', 2]);
    expect(places.of(['a', 0, 'b', 1, 'c', 0])).toEqual(['a', 1, 'b', 1, 'c', 0]);
    expect(places.of(['a', 0, 'b', 2, 'c', 0])).toEqual(['a', 1, 'b', 3, 'c', 0]);
    expect(places.of(['a', 1, 'b', 2])).toEqual(['a', 2, 'b', 2]);
    expect(places.of(['b', 0])).toEqual(['b', 0]);
    places.remove(['a', 0, 'b', 2]);
    expect(places.of(['a', 0, 'b', 2])).toEqual(['a', 1, 'b', 4]);
  });

  it('stay when a key of a map goes', () => {
    const places = new ListPlaces();
    places.remove(['a', 'x']);
    places.remove([]);
    expect(places.of(['a', 0])).toEqual(['a', 0]);
    expect(places.of(['a', 'y'])).toEqual(['a', 'y']);
  });
});

describe('a document without some of its values', () => {
  const LAST = { y: [4, 5] };
  const DOCUMENT = { list: [0, 1, { x: 1, y: [2, 3] }, LAST], map: { a: 1, b: { c: 2 } }, z: null };

  it.each<[readonly Path[], Json]>([
    [[], DOCUMENT],
    [[['z']], { list: DOCUMENT.list, map: DOCUMENT.map }],
    [[['map', 'b', 'c']], { ...DOCUMENT, map: { a: 1, b: {} } }],
    [[['list', 1]], { ...DOCUMENT, list: [0, { x: 1, y: [2, 3] }, LAST] }],
    [[['list', 2, 'y', 0]], { ...DOCUMENT, list: [0, 1, { x: 1, y: [3] }, LAST] }],
    // What lies below a value that goes, goes with it. A value that is named twice goes once.
    [
      [
        ['list', 2, 'y', 0],
        ['list', 2],
      ],
      { ...DOCUMENT, list: [0, 1, LAST] },
    ],
    [
      [
        ['list', 1],
        ['list', 1],
        ['list', 0],
      ],
      { ...DOCUMENT, list: [{ x: 1, y: [2, 3] }, LAST] },
    ],
    // A map that lacks a key goes, but not the document.
    [[['map', 'b', 'd']], { ...DOCUMENT, map: { a: 1 } }],
    [[['none']], DOCUMENT],
    [[[]], {}],
    [[[], ['map']], {}],
  ])('has the others, without %j', (paths, expected) => {
    expect(withoutAll(DOCUMENT, paths, new ListPlaces())).toEqual(expected);
  });

  it('keeps the places of what is left, in whatever order values go', () => {
    const paths: readonly Path[] = [['list', 0], ['map', 'a'], ['list', 2], ['z'], ['list', 2, 'y', 0]];
    for (const order of permutations(paths)) {
      const places = new ListPlaces();
      expect(withoutAll(DOCUMENT, order, places)).toEqual({ list: [1, LAST], map: { b: { c: 2 } } });
      expect(places.of(['list', 0])).toEqual(['list', 1]);
      expect(places.of(['list', 1, 'y', 0])).toEqual(['list', 3, 'y', 0]);
    }
  });
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
