import { jsonField } from '../../rpc/json-object.ts';
import type { Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** Timeout (ms) of one request. */
const LEADER_TIMEOUT_MS = 2000;

/** Asks the conductors for the sequencers that lead, by chain. One that does not answer or name one is left out. */
export async function readLeaders({ network }: Pick<Plan, 'network'>): Promise<ReadonlyMap<string, string>> {
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
