import { taskIds } from '../plan/lookup.ts';
import { clientFor } from '../probe/call.ts';
import type { AttachFile } from './schema.ts';

/** Time (ms) for a rollup node to tell its peer id. */
const PEER_ID_MS = 10_000;

/**
 * Asks each rollup node of a network for its peer id, which follows from a secret of the network.
 * Nodes that do not tell it are left out.
 */
export async function peerIdsOf({ chains }: AttachFile): Promise<Readonly<Record<string, string>>> {
  const nodes = Object.entries(chains).flatMap(([chain, each]) =>
    Object.entries(each.nodes).map(([node, { cl }]) => ({ task: taskIds(chain, node).cl, rpc: cl.rpc })),
  );
  const answers = nodes.map(async ({ task, rpc }) => {
    const self = clientFor(rpc).call<{ peerID?: string } | null>('opp2p_self', [], { timeoutMs: PEER_ID_MS });
    const { peerID } = (await self.catch(() => null)) ?? {};
    return peerID === undefined ? [] : [[task, peerID] as const];
  });
  return Object.fromEntries((await Promise.all(answers)).flat());
}
