import { expect, it } from 'vitest';
import { pointsOf } from '../../../src/system/time/checkpoints.ts';

/** A program whose state is a number. */
function program() {
  const calls: string[] = [];
  const state = { value: 1, fails: false };
  const points = pointsOf<number>({
    remember: () => state.value,
    async suspend() {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push('suspended');
      if (state.fails) throw new Error('busy');
    },
    restore(value) {
      state.value = value;
      calls.push(`restored ${value}`);
    },
    resume: () => void calls.push('resumed'),
  });
  return { points, state, calls };
}

it('goes back to a point any number of times, and forgets the later ones', async () => {
  const { points, state, calls } = program();
  await points.remember(1);
  state.value = 2;
  await points.remember(2);
  for (let times = 0; times < 3; times++) {
    state.value = 9;
    await points.suspend(1);
    await points.goBack(1);
    await points.resume(1);
    expect(state.value).toBe(1);
  }
  await expect(points.suspend(2)).rejects.toThrow('does not know point 2');
  expect(calls.at(-1)).toBe('resumed');
});

it('refuses a return that is not suspended, and a point that was forgotten', async () => {
  const { points } = program();
  await points.remember(1);
  await expect(points.goBack(1)).rejects.toThrow('not suspended');
  await points.forget(1);
  await expect(points.suspend(1)).rejects.toThrow('does not know point 1');
});

it('resumes after a suspension that is under way, also where that fails', async () => {
  const { points, state, calls } = program();
  await points.remember(1);
  await Promise.all([points.suspend(1), points.resume(1)]);
  expect(calls).toEqual(['suspended', 'resumed']);
  state.fails = true;
  const [suspended] = await Promise.allSettled([points.suspend(1), points.resume(1)]);
  expect(suspended.status).toBe('rejected');
  expect(calls).toEqual(['suspended', 'resumed', 'suspended', 'resumed']);
  await points.resume(1);
  expect(calls).toHaveLength(4);
});
