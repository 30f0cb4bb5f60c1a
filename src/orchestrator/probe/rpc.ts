import { TransportError } from '../../rpc/client.ts';
import { messageOf } from '../../system/failure.ts';
import { clientFor } from './call.ts';
import { matches } from './expect.ts';
import { type Check, mismatch, unreachable } from './probe.ts';

/** A JSON-RPC method answers what only ours would: chain id, genesis hash. */
export const rpc: Check<'rpc'> = async ({ probe, signal, timeoutMs }) => {
  try {
    const answer = await clientFor(probe.url, probe.jwtFile).call(probe.method, probe.params, { signal, timeoutMs });
    return matches(answer, probe.expect);
  } catch (error) {
    if (error instanceof TransportError)
      return error.status === undefined ? unreachable(messageOf(error)) : mismatch(messageOf(error));
    return mismatch(`${probe.method}: ${messageOf(error)}`);
  }
};
