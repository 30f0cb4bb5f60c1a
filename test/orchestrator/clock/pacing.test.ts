import { expect, it } from 'vitest';
import { pacing } from '../../../src/orchestrator/clock/pacing.ts';
import { steppedClock } from './stepped-clock.ts';

/** Wall time (ms) that no test reaches. */
const UNREACHED_MS = 600_000;

it('a request moves the clock to the next block, and further requests wait for that block', () => {
  const clock = steppedClock();
  const chain = pacing(clock, UNREACHED_MS)(2);
  chain.made(0);
  for (let sender = 0; sender < 200; sender++) chain.call();
  expect(clock.moves).toEqual([2]);
  chain.made(2);
  expect(clock.moves).toEqual([2]);
  chain.call();
  expect(clock.moves).toEqual([2, 4]);
});

it("a request waits for another chain's due block, and moves the clock after it", () => {
  const clock = steppedClock();
  const add = pacing(clock, UNREACHED_MS);
  const [l1, l2] = [add(2), add(1)];
  l1.made(0);
  l2.made(0);
  l1.call();
  expect(clock.moves).toEqual([2]);
  l1.made(2);
  l1.call();
  l2.made(1);
  expect(clock.moves, 'the second block of L2 is due').toEqual([2]);
  l2.made(2);
  expect(clock.moves).toEqual([2, 4]);
});

it('a chain whose head is not known yet requests a block', () => {
  const clock = steppedClock();
  const chain = pacing(clock, UNREACHED_MS)(2);
  chain.call();
  expect(clock.moves).toEqual([2]);
});

it('the clock goes on without a chain that makes no block', async () => {
  const clock = steppedClock();
  const add = pacing(clock, 20);
  const [stopped, chain] = [add(2), add(2)];
  stopped.made(0);
  chain.made(0);
  chain.call();
  chain.made(2);
  chain.call();
  await expect.poll(() => clock.moves).toEqual([2, 4]);
  chain.made(4);
  chain.call();
  expect(clock.moves, 'it is not waited for again').toEqual([2, 4, 6]);
});
