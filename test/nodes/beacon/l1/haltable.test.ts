import { expect, it } from 'vitest';
import { haltable } from '../../../../src/nodes/beacon/l1/haltable.ts';

it('halted work ends when its signal is aborted', async () => {
  const driving = haltable();
  const stopping = new AbortController();
  let runs = 0;
  const done = driving.run(async (signal) => {
    runs += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }, stopping.signal);
  await Promise.resolve();
  await driving.halt();
  stopping.abort();
  await done;
  expect(runs).toBe(1);
});
