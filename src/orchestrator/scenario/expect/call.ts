import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { messageOf } from '../../../system/failure.ts';
import { withDescription } from '../../spec/schema/words.ts';
import type { Argument } from '../../traffic/contract-call.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsTarget } from '../on.ts';
import { checkPayload } from '../payload.ts';
import { CALL, resultOf } from '../steps/call.ts';

/** A call of a contract returns a value. */
export const call = defineExpectation({
  name: 'call',
  schema: z.strictObject({
    ...CALL,
    returns: withDescription(
      z.custom<Argument>((value) => value !== undefined),
      'the result: a text for a number or bytes, a list for several',
    ),
  }),
  check(value, facts) {
    knowsTarget(facts, ['call'], value.on);
    checkPayload(facts, ['call'], value);
  },
  async begin({ returns, ...value }, run) {
    const expected = plain(returns);
    return async () => {
      try {
        const result = await resultOf(value, run);
        const evidence = { result };
        return isDeepStrictEqual(plain(result), expected)
          ? { holds: true, evidence }
          : { holds: false, because: `the call returns ${JSON.stringify(result)}`, evidence };
      } catch (error) {
        return { holds: false, because: `the call fails: ${messageOf(error).split('\n')[0]}` };
      }
    };
  },
});

/** Makes values comparable: numbers become texts, hex becomes lower case. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'boolean' ? value : String(value).toLowerCase();
}
