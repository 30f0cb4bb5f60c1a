import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearest } from '../../../../src/orchestrator/spec/text/nearest.ts';

/** Optimal string alignment distance, by its recursive definition. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return distance(restA, restB);
  const swap = a[0] === b[1] && a[1] === b[0] && a.length > 1 ? distance(a.slice(2), b.slice(2)) : Number.MAX_VALUE;
  return 1 + Math.min(distance(restA, b), distance(a, restB), distance(restA, restB), swap);
}

it('the nearest word is the first of least distance, and differs in at most a third of the letters', () => {
  const word = fc.stringMatching(/^[abAB]{1,7}$/);
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 4 }), (misspelt, candidates) => {
      const most = Math.max(1, Math.floor(misspelt.length / 3));
      const distances = candidates.map((each) => distance(misspelt.toLowerCase(), each.toLowerCase()));
      const least = Math.min(...distances);
      expect(nearest(misspelt, candidates)).toBe(least <= most ? candidates[distances.indexOf(least)] : undefined);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['ab', ['ba'], 'ba'],
  ['ab', ['bac'], undefined],
  ['ab', ['ca'], undefined],
  ['ab', ['bc'], undefined],
  ['abcdef', ['badcef'], 'badcef'],
  ['abcdef', ['badcfe'], undefined],
  ['abc', ['abcd', 'abc'], 'abc'],
  ['ABC', ['abd', 'abc'], 'abc'],
  ['a', [], undefined],
])('the nearest word to %s of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});
