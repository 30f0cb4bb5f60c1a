import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { messageOf } from '../../../system/failure.ts';
import { withDescription } from '../../spec/schema/words.ts';
import type { Argument } from '../../traffic/contract-call.ts';
import { boundsOf, broken, isBound } from '../bounds.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsTarget } from '../on.ts';
import { checkPayload } from '../payload.ts';
import { CALL, resultOf } from '../steps/call.ts';
import { wei } from '../words.ts';

const { above, below } = boundsOf(wei);

const ASKED = 'one of returns, above, below';

/** A call of a contract returns a value, or a number between two others. */
export const call = defineExpectation({
  name: 'call',
  schema: z
    .strictObject({
      ...CALL,
      returns: z.exactOptional(
        withDescription(z.custom<Argument>(), 'the result: a text for a number or bytes, a list for several'),
      ),
      ...{ above, below },
    })
    .check(z.refine((value) => (value.returns !== undefined) !== isBound(value), ASKED)),
  check(value, facts) {
    knowsTarget(facts, ['call'], value.on);
    checkPayload(facts, ['call'], value);
  },
  async begin({ returns, above, below, ...value }, run) {
    const bounds = {
      ...(above === undefined ? {} : { above: BigInt(above) }),
      ...(below === undefined ? {} : { below: BigInt(below) }),
    };
    return async () => {
      try {
        const result = await resultOf(value, run);
        const evidence = { result };
        const problem = returns === undefined ? outside(result, bounds) : otherThan(result, returns);
        return problem === undefined
          ? { holds: true, evidence }
          : { holds: false, because: `the call returns ${problem}`, evidence };
      } catch (error) {
        return { holds: false, because: `the call fails: ${messageOf(error).split('\n')[0]}` };
      }
    };
  },
});

function otherThan(result: unknown, returns: Argument): string | undefined {
  return isDeepStrictEqual(plain(result), plain(returns)) ? undefined : JSON.stringify(result);
}

/** Describes a result that is not a number, or one that breaks a bound; undefined if it keeps all. */
function outside(result: unknown, bounds: Parameters<typeof broken<bigint>>[1]): string | undefined {
  const text = String(result);
  return /^-?\d+$/.test(text) ? broken(BigInt(text), bounds) : `${JSON.stringify(result)} instead of a number`;
}

/** Makes values comparable: numbers become texts, hex becomes lower case. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'boolean' ? value : String(value).toLowerCase();
}
