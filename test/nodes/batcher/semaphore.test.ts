import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../../src/nodes/batcher/semaphore.ts';

/** Lets all promises that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Numbers of the callers that have a permit, in the order in which they received it. */
function callers(semaphore: Semaphore) {
  const served: number[] = [];
  const releases = new Map<number, () => void>();
  return {
    served,
    call: (number: number) =>
      void semaphore.acquire().then((release) => {
        served.push(number);
        releases.set(number, release);
      }),
    release: (number: number) => releases.get(number)!(),
  };
}

describe('semaphore', () => {
  it('has no more permits out than its count, and serves the others in order', async () => {
    const { call, release, served } = callers(new Semaphore(2));
    for (const number of [1, 2, 3, 4]) call(number);
    await settled();
    expect(served).toEqual([1, 2]);
    release(2);
    await settled();
    expect(served).toEqual([1, 2, 3]);
    release(1);
    release(3);
    await settled();
    expect(served).toEqual([1, 2, 3, 4]);
    release(4);
    for (const number of [5, 6, 7]) call(number);
    await settled();
    expect(served).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('has any number of permits with a count of 0', async () => {
    const { call, served } = callers(new Semaphore(0));
    for (let number = 0; number < 50; number++) call(number);
    await settled();
    expect(served).toHaveLength(50);
  });
});
