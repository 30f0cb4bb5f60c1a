import * as z from 'zod/mini';
import { at, type Json } from '../../spec/schema/json.ts';
import type { Expectation } from '../expectation.ts';
import * as registry from '../expectation-registry.ts';
import { RECEIPT_VALUES } from '../receipts.ts';
import { untilHolds } from '../run.ts';
import type { Evidence, StepKind } from '../step.ts';
import { as, duration, within } from '../words.ts';

/** Every kind of condition. */
const EXPECTATIONS: readonly Expectation[] = Object.values(registry);

const schema = z
  .strictObject({
    ...Object.fromEntries(EXPECTATIONS.map(({ name, schema: inner }) => [name, z.exactOptional(inner)])),
    within,
    as,
  })
  .check(
    z.refine(
      (value) => EXPECTATIONS.some(({ name }) => Object.hasOwn(value, name)),
      `one of ${EXPECTATIONS.map(({ name }) => name).join(', ')}, and within if it takes time`,
    ),
  );

/** Fails if a condition does not hold. Each condition reads its own value. */
export const expect: StepKind = {
  name: 'expect',
  summary: 'Fails if a condition does not hold, at once or within a time.',
  schema,
  gives: ['divergence', 'divergences', 'heads', ...RECEIPT_VALUES, 'balance', 'result', 'line', 'metric'],
  inner: undefined,
  check(value, facts) {
    for (const [expectation, part] of givenIn(value)) expectation.check(part, facts);
  },
  async run(value, run) {
    const time = at(value, ['within']);
    const withinMs = time === undefined ? undefined : z.parse(duration, time);
    const looks = await Promise.all(givenIn(value).map(([expectation, part]) => expectation.begin(part, run)));
    return untilHolds(run, withinMs, async () => {
      const results = await Promise.all(looks.map((look) => look()));
      const evidence = Object.assign({}, ...results.map((each) => each.evidence ?? {})) as Evidence;
      const reasons = results.flatMap((each) => (each.holds ? [] : [each.because]));
      return reasons.length === 0 ? { holds: true, evidence } : { holds: false, because: reasons.join('; '), evidence };
    });
  },
};

/** Lists the conditions of a step with their values. */
function givenIn(value: Json): readonly (readonly [Expectation, Json])[] {
  return EXPECTATIONS.flatMap((expectation) => {
    const part = at(value, [expectation.name]);
    return part === undefined ? [] : [[expectation, part] as const];
  });
}
