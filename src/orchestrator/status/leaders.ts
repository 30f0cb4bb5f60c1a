import { jsonField } from '../../rpc/json-object.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** Timeout (ms) of one request. */
const LEADER_TIMEOUT_MS = 2000;

/** Names of the sequencers that lead, by chain. A chain without a conductor that names one is absent. */
export type Leaders = ReadonlyMap<string, string>;

/** Returns the node that makes the blocks of a chain: the leader of a set, else its sequencer. */
export function leaderIn({ name: chain, nodes }: ChainView, leaders: Leaders): NodeView | undefined {
  return (
    nodes.find(({ name }) => name === leaders.get(chain)) ?? nodes.find(({ role }) => role === 'sequencer') ?? nodes[0]
  );
}

/** Asks the conductors for the sequencers that lead, by chain. One that does not answer or name one is left out. */
export async function readLeaders({ network }: Pick<Plan, 'network'>): Promise<Leaders> {
  const leaders = await Promise.all(
    network.chains.map(async ({ name, conductor }) => {
      if (conductor?.rpc === undefined) return [];
      const options = { timeoutMs: LEADER_TIMEOUT_MS };
      const leader = await clientFor(conductor.rpc)
        .call('conductor_leaderWithID', [], options)
        .catch(() => undefined);
      const id = jsonField(leader, 'id');
      return typeof id === 'string' && id !== '' ? [[name, id] as const] : [];
    }),
  );
  return new Map(leaders.flat());
}
