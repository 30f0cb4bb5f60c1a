import { messageOf } from '../../system/failure.ts';
import { clientFor } from './call.ts';
import { type Check, mismatch, OK, unreachable } from './probe.ts';

/** The chain has at least this many blocks above genesis. */
export const height: Check<'height'> = async ({ probe, signal, timeoutMs }) => {
  try {
    const answer = await clientFor(probe.url).call<string>('eth_blockNumber', [], { signal, timeoutMs });
    const found = Number(answer);
    return found >= probe.atLeast ? OK : mismatch(`is at block ${found}, expected ${probe.atLeast}`);
  } catch (error) {
    return unreachable(messageOf(error));
  }
};
