import { call as callContract } from 'viem/actions';
import * as z from 'zod/mini';
import { decodeResult } from '../../traffic/contract-call.ts';
import { knowsTarget, on, readerOf } from '../on.ts';
import { checkPayload, inputOf, payload } from '../payload.ts';
import { defineStep, type Run } from '../step.ts';
import { address, as } from '../words.ts';

/** Keys of a call, for the step and the expectation. */
export const CALL = { on: z.exactOptional(on), to: address, ...payload };

const keys = z.strictObject(CALL);
type Call = z.output<typeof keys>;

/** Calls a contract without a transaction. Returns what its function returns, or the bytes. */
export async function resultOf(value: Call, run: Pick<Run, 'plan'>): Promise<unknown> {
  const { data = '0x' } = await callContract(readerOf(run.plan(), value.on), {
    to: value.to,
    data: inputOf(value),
  });
  return value.function === undefined ? data : decodeResult(value.function, data);
}

/** Calls a contract without a transaction. */
export const call = defineStep({
  name: 'call',
  summary: 'Calls a contract without a transaction.',
  schema: z.strictObject({ ...CALL, as }),
  gives: ['result'],
  check(value, facts) {
    knowsTarget(facts, [], value.on);
    checkPayload(facts, [], value);
  },
  run: async (value, run) => ({ result: await resultOf(value, run) }),
});
