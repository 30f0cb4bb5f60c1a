import { expect, it } from 'vitest';
import { createCheckpoints } from '../../../src/system/channel/checkpoints.ts';

/** A program whose state is a number. */
function program() {
  const calls: string[] = [];
  const state = { value: 1, fails: false };
  const checkpoints = createCheckpoints<number>({
    take: () => state.value,
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
  return { checkpoints, state, calls };
}

it('a program restores a checkpoint any number of times, and drops the later ones', async () => {
  const { checkpoints, state, calls } = program();
  await checkpoints.take(1);
  state.value = 2;
  await checkpoints.take(2);
  for (let times = 0; times < 3; times++) {
    state.value = 9;
    await checkpoints.suspend(1);
    await checkpoints.restore(1);
    await checkpoints.resume(1);
    expect(state.value).toBe(1);
  }
  await expect(checkpoints.suspend(2)).rejects.toThrow('does not know checkpoint 2');
  expect(calls.at(-1)).toBe('resumed');
});

it('a program refuses to restore a checkpoint when it is not suspended, and a dropped one', async () => {
  const { checkpoints } = program();
  await checkpoints.take(1);
  await expect(checkpoints.restore(1)).rejects.toThrow('not suspended');
  await checkpoints.drop(1);
  await expect(checkpoints.suspend(1)).rejects.toThrow('does not know checkpoint 1');
});

it('a program resumes after a suspension that is under way, also if that fails', async () => {
  const { checkpoints, state, calls } = program();
  await checkpoints.take(1);
  await Promise.all([checkpoints.suspend(1), checkpoints.resume(1)]);
  expect(calls).toEqual(['suspended', 'resumed']);
  state.fails = true;
  const [suspended] = await Promise.allSettled([checkpoints.suspend(1), checkpoints.resume(1)]);
  expect(suspended.status).toBe('rejected');
  expect(calls).toEqual(['suspended', 'resumed', 'suspended', 'resumed']);
  await checkpoints.resume(1);
  expect(calls).toHaveLength(4);
});
