import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../../../src/nodes/execution/pool/heap.ts';

const item = fc.record({ rank: fc.nat({ max: 8 }), name: fc.nat() });

describe('a heap', () => {
  it('gives its items in order, each once, however pushes and pops are mixed', () => {
    fc.assert(
      fc.property(fc.array(fc.option(item, { freq: 3 }), { maxLength: 60 }), (steps) => {
        const heap = new Heap<{ readonly rank: number }>((one, other) => one.rank < other.rank);
        const model: { readonly rank: number }[] = [];
        const pop = () => {
          const first = heap.top;
          expect(heap.pop()).toBe(first);
          const least = Math.min(...model.map(({ rank }) => rank));
          if (first === undefined) expect(model).toEqual([]);
          else {
            expect(first.rank).toBe(least);
            model.splice(model.indexOf(first), 1);
          }
          expect(heap.size).toBe(model.length);
        };
        for (const step of steps) {
          if (step === null) pop();
          else {
            heap.push(step);
            model.push(step);
            expect(heap.size).toBe(model.length);
          }
        }
        while (model.length > 0) pop();
        pop();
        expect(heap.top).toBeUndefined();
      }),
      { numRuns: 200, seed: 35 },
    );
  });
});
