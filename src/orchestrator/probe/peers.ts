import { RpcError } from '../../rpc/error.ts';
import { messageOf } from '../../system/failure.ts';
import { clientFor } from './call.ts';
import { type Check, mismatch, OK, unreachable } from './probe.ts';

/** The same question as the two families of rollup nodes spell it. */
const METHODS = ['opp2p_peerStats', 'peernet_peerStats'] as const;

/** A rollup node is connected to at least this many peers. */
export const peers: Check<'peers'> = async ({ probe, signal, timeoutMs }) => {
  let unknown = '';
  for (const method of METHODS) {
    try {
      const { connected } = await clientFor(probe.url).call<{ connected: number }>(method, [], { signal, timeoutMs });
      return connected >= probe.atLeast
        ? OK
        : mismatch(`${connected} of ${probe.atLeast} peers ${probe.atLeast === 1 ? 'is' : 'are'} connected`);
    } catch (error) {
      if (!(error instanceof RpcError)) return unreachable(messageOf(error));
      unknown = messageOf(error);
    }
  }
  return mismatch(unknown);
};
