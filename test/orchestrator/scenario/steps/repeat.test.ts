import { expect, it } from 'vitest';
import type { ReadStep, Run, StepResult } from '../../../../src/orchestrator/scenario/step.ts';
import { parallel } from '../../../../src/orchestrator/scenario/steps/parallel.ts';
import { pause } from '../../../../src/orchestrator/scenario/steps/pause.ts';
import { repeat } from '../../../../src/orchestrator/scenario/steps/repeat.ts';

/** A run of the inner steps `a` and `b`, which notes the order of events. The calls of these numbers fail. */
function runOf(...failing: readonly number[]) {
  const events: string[] = [];
  const perform = async ({ text }: ReadStep): Promise<StepResult> => {
    events.push(text);
    const status = failing.includes(events.length) ? 'failed' : 'passed';
    const evidence = status === 'failed' ? { error: 'late' } : {};
    return { number: String(events.length), step: text, status, seconds: 0, evidence, at: 'a.yaml:1' };
  };
  const time = {
    together: (works: readonly (() => Promise<unknown>)[]) => {
      events.push(`together ${works.length}`);
      return Promise.all(works.map((work) => work()));
    },
    async standing(work: () => Promise<unknown>) {
      events.push('stands');
      await work();
      events.push('goes on');
    },
  };
  const inner = ['a', 'b'].map((text) => ({ text }));
  return { events, run: { perform, time, inner, signal: new AbortController().signal } as unknown as Run };
}

const numbersIn = (evidence: unknown) => (evidence as { steps: StepResult[] }).steps.map(({ number }) => number);

it('repeated steps run one after another, as often as the step says', async () => {
  const { events, run } = runOf();
  expect(numbersIn(await repeat.run({ times: 2, steps: [1, 2] }, run))).toEqual(['1', '2', '3', '4']);
  expect(events).toEqual(['a', 'b', 'a', 'b']);
});

it('repeated steps end with the first that fails', async () => {
  const { events, run } = runOf(3);
  await expect(repeat.run({ times: 5, steps: [1, 2] }, run)).rejects.toMatchObject({
    ...{ code: 'inner', message: '3 a: late' },
    data: { steps: [{ number: '1' }, { number: '2' }, { number: '3' }] },
  });
  expect(events).toEqual(['a', 'b', 'a']);
});

it('parallel steps share their slots, and all of them end when one fails', async () => {
  const whole = runOf();
  expect(numbersIn(await parallel.run([1, 2], whole.run))).toEqual(['2', '3']);
  expect(whole.events).toEqual(['together 2', 'a', 'b']);
  const { events, run } = runOf(2);
  await expect(parallel.run([1, 2], run)).rejects.toMatchObject({ code: 'inner', message: '2 a: late' });
  expect(events).toEqual(['together 2', 'a', 'b']);
});

it.each([
  ['parallel', parallel, Array(0).fill({}), false],
  ['parallel', parallel, Array(1).fill({}), true],
  ['parallel', parallel, Array(20).fill({}), true],
  ['parallel', parallel, Array(21).fill({}), false],
  ['repeat', repeat, { times: 0, steps: [{}] }, false],
  ['repeat', repeat, { times: 1, steps: [{}] }, true],
  ['repeat', repeat, { times: 1000, steps: [{}] }, true],
  ['repeat', repeat, { times: 1001, steps: [{}] }, false],
  ['repeat', repeat, { times: 1, steps: [] }, false],
  ['repeat', repeat, { times: 1 }, false],
])('the step %s takes as many steps as its page says: %#', (_, { schema }, value, isTaken) => {
  expect(schema.safeParse(value).success).toBe(isTaken);
});

it('a pause passes while the clock of the network stands, and ends with the network', async () => {
  const { events, run } = runOf();
  expect(await pause.run('1ms', run)).toEqual({});
  expect(events).toEqual(['stands', 'goes on']);
  // A timer of Node.js is at most 25 days long.
  for (const signal of [AbortSignal.abort(), AbortSignal.timeout(20)])
    await expect(pause.run('1000h', { ...run, signal })).rejects.toSatisfy((error) => error === signal.reason);
});
