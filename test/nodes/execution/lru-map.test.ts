import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruMap } from '../../../src/nodes/execution/store/lru-map.ts';

test('never weighs or counts more than its limits, and keeps what was used last', () => {
  const act = fc.record({
    key: fc.integer({ min: 0, max: 9 }),
    weight: fc.integer({ min: 0, max: 12 }),
    act: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const map = new LruMap<number>(20, (weight) => weight, 4);
      const held = new Map<string, number>();
      for (const { key, weight, act: what } of acts) {
        const name = String(key);
        if (what === 0) {
          map.delete(name);
          held.delete(name);
        } else if (what < 4) {
          expect(map.get(name)).toBe(held.get(name));
          const value = held.get(name);
          if (value === undefined) continue;
          held.delete(name);
          held.set(name, value);
        } else {
          map.set(name, weight);
          held.delete(name);
          held.set(name, weight);
          const total = () => [...held.values()].reduce((sum, one) => sum + one, 0);
          while (total() > 20 || held.size > 4) held.delete(held.keys().next().value!);
        }
        expect(map.size).toBe(held.size);
      }
    }),
  );
});
