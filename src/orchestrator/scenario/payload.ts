import type { Hex } from 'viem';
import * as z from 'zod/mini';
import { messageOf } from '../../system/failure.ts';
import type { Path } from '../spec/schema/json.ts';
import { text, withDescription } from '../spec/schema/words.ts';
import { type Argument, encodeCall, functionOf } from '../traffic/contract-call.ts';
import type { Facts } from './facts.ts';
import { data } from './words.ts';

/** Keys of what a transaction or a call carries. */
export const payload = {
  data: z.exactOptional(withDescription(data, 'the input, instead of function and args')),
  function: z.exactOptional(withDescription(text, 'a signature: transfer(address,uint256)')),
  args: z.exactOptional(withDescription(z.array(z.custom<Argument>()), 'its arguments')),
};

interface Payload {
  readonly data?: Hex;
  readonly function?: string;
  readonly args?: readonly Argument[];
}

/** Reports a signature that is none, and keys that contradict one another. */
export function checkPayload({ report }: Pick<Facts, 'report'>, path: Path, value: Payload): void {
  if (value.data !== undefined && value.function !== undefined)
    report([...path, 'data'], '"data" and "function" both say what is called', { allowed: 'one of them' });
  if (value.args !== undefined && value.function === undefined)
    report([...path, 'args'], '"args" needs "function"', {
      allowed: 'function: "transfer(address,uint256)" beside it',
    });
  if (value.function === undefined) return;
  try {
    functionOf(value.function);
  } catch (error) {
    report([...path, 'function'], messageOf(error), { allowed: 'a signature such as transfer(address,uint256)' });
  }
}

/** Returns the input of a transaction or a call. */
export function inputOf(value: Payload): Hex {
  if (value.function !== undefined) return encodeCall(value.function, value.args ?? []);
  return value.data ?? '0x';
}
