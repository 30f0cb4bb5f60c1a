import { describe, expect, it } from 'vitest';
import { startThread } from '../../../src/system/process/thread.ts';

const ask = () => startThread<unknown, unknown>(new URL('../../fixtures/programs/thread.ts', import.meta.url));

describe('a thread', () => {
  it('answers each request with its own result', async () => {
    const square = ask();
    expect(await Promise.all([3, 1, 2].map((value) => square(value)))).toEqual([9, 1, 4]);
  });

  it('rejects a request whose answer throws with its text, and answers the next', async () => {
    const square = ask();
    await expect(square('x')).rejects.toThrow('"x" is not a number');
    expect(await square(5)).toBe(25);
  });

  it('rejects what is pending, and all that follows, when it has ended', async () => {
    const square = ask();
    await expect(square('exit')).rejects.toThrow('ended with code 3');
    await expect(square(1)).rejects.toThrow('ended with code 3');
  });
});
