import { expect, it } from 'vitest';
import { collectGarbageOften } from '../../../src/system/program/collect-garbage.ts';

/** Returns a reference to a list that nothing else holds. */
const dropped = () => new WeakRef(Array.from({ length: 500_000 }, (_, at) => ({ at })));

it('the garbage collection runs whenever the heap of a process has grown', async () => {
  collectGarbageOften(5);
  for (let round = 0; round < 3; round++) {
    const reference = dropped();
    await expect.poll(() => reference.deref() === undefined, { interval: 20 }).toBe(true);
  }
});
