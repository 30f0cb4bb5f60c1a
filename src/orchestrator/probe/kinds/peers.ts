import { RpcError } from '../../../rpc/error.ts';
import { messageOf } from '../../../system/failure.ts';
import { clientFor } from '../call.ts';
import { mismatch, OK, probeKind, unreachable } from '../probe.ts';

/** The method's name in the two families of rollup nodes. */
const METHODS = ['opp2p_peerStats', 'peernet_peerStats'] as const;

/** A rollup node is connected to at least this many peers. */
export const peers = probeKind({
  name: 'peers',
  written: ({ z, withDescription }) => ({
    peers: withDescription(z.string('text'), 'URL of a rollup node that is connected to its peers'),
  }),
  plan: ({ peers: url, description = 'is connected to its peers' }, context) =>
    context.peers === 0
      ? undefined
      : { kind: 'peers' as const, url: context.text(url), atLeast: context.peers, description },
  async check({ probe, signal, timeoutMs }) {
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
  },
});
