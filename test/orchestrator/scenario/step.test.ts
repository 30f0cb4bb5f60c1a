import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Facts } from '../../../src/orchestrator/scenario/facts.ts';
import { defineStep, type Run } from '../../../src/orchestrator/scenario/step.ts';

const FACTS = { report: () => undefined } as unknown as Facts;
const RUN = { name: 'one' } as Run;
const schema = z.strictObject({ count: z._default(z.number(), 7) });
const run = async (value: unknown, context: Run) => ({ value, of: context.name });

it('a kind of step without more gives no values, holds no steps and needs no links', async () => {
  const kind = defineStep({ name: 'act', summary: 'Acts.', schema, run });
  expect(kind).toEqual({
    ...{ name: 'act', summary: 'Acts.', schema, gives: [], inner: undefined },
    ...{ check: expect.any(Function), run: expect.any(Function) },
  });
  expect(kind).not.toHaveProperty('needsLinks');
  expect(kind.check({ count: 1 }, FACTS)).toBeUndefined();
});

it('a kind of step has what it gives, where its steps are, and whether it needs links', () => {
  const more = { gives: ['count'], inner: ['steps'], needsLinks: true } as const;
  expect(defineStep({ name: 'act', summary: '', schema, run, ...more })).toMatchObject(more);
});

it('a kind of step checks and runs what its schema reads', async () => {
  const checked: unknown[] = [];
  const check = (value: unknown, facts: Facts) => void checked.push(value, facts);
  const kind = defineStep({ name: 'act', summary: '', schema, check, run });
  kind.check({}, FACTS);
  expect(checked).toEqual([{ count: 7 }, FACTS]);
  expect(await kind.run({}, RUN)).toEqual({ value: { count: 7 }, of: 'one' });
  expect(() => kind.check({ count: 'x' }, FACTS)).toThrow();
  expect(() => kind.run({ count: 'x' }, RUN)).toThrow();
});
