import { TransportError } from '../../rpc/client.ts';
import { messageOf } from '../../system/failure.ts';
import { clientFor } from './call.ts';
import { matches } from './expect.ts';
import { type Check, differs, silent } from './probe.ts';

/** A JSON-RPC method answers what only ours would: chain id, genesis hash. */
export const rpc: Check<'rpc'> = async ({ probe, signal, timeoutMs }) => {
  try {
    const answer = await clientFor(probe.url, probe.jwtFile).call(probe.method, probe.params, { signal, timeoutMs });
    return matches(answer, probe.expect);
  } catch (error) {
    if (error instanceof TransportError)
      return error.status === undefined ? silent(messageOf(error)) : differs(messageOf(error));
    return differs(`${probe.method}: ${messageOf(error)}`);
  }
};
