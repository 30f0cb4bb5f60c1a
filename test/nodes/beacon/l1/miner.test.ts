import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextSlot } from '../../../../src/nodes/beacon/l1/miner.ts';

it('the miner gives the next block to a slot after the head, no further back than the catch-up allows', () => {
  const natural = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(natural, natural, fc.integer({ min: 0, max: 100 }), (head, current, maxCatchUp) => {
      const slot = nextSlot(head, current, maxCatchUp);
      expect(slot).toBeGreaterThan(head);
      expect(current - slot).toBeLessThan(Math.max(maxCatchUp, 1));
      // Nothing is skipped that the catch-up reaches.
      if (current - head <= maxCatchUp) expect(slot).toBe(head + 1);
    }),
  );
});
