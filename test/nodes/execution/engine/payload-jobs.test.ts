import { expect, it } from 'vitest';
import type { PayloadJob } from '../../../../src/nodes/execution/engine/payload-job.ts';
import { PayloadJobs } from '../../../../src/nodes/execution/engine/payload-jobs.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** Adds payloads 0x0, 0x1 and so on, which improve until they are abandoned. */
function jobsOf(count: number) {
  const jobs = new PayloadJobs();
  const improving = new Set<number>();
  const idOf = (number: number): Hex => `0x${number}`;
  for (let number = 0; number < count; number++) {
    improving.add(number);
    const job = {
      abandon: async () => void improving.delete(number),
      get isWorking() {
        return improving.has(number);
      },
    };
    jobs.add(idOf(number), job as Partial<PayloadJob> as PayloadJob);
  }
  const numbers = () => Array.from({ length: count }, (_, at) => at).filter((at) => jobs.get(idOf(at)) !== undefined);
  return { jobs, improving, numbers };
}

it.each([1, 2, 6])('payloads improve only as the newest one: the last of %i', async (count) => {
  const { jobs, improving } = jobsOf(count);
  expect([...improving]).toEqual([count - 1]);
  expect(jobs.isWorking).toBe(true);
  await jobs.close();
  expect([improving.size, jobs.isWorking]).toEqual([0, false]);
});

it('payloads are at most the six newest, until all are forgotten', async () => {
  expect(jobsOf(6).numbers()).toEqual([0, 1, 2, 3, 4, 5]);
  const { jobs, improving, numbers } = jobsOf(8);
  expect(numbers()).toEqual([2, 3, 4, 5, 6, 7]);
  await jobs.clear();
  expect([numbers(), improving.size]).toEqual([[], 0]);
});
