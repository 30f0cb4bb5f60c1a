import { isJsonObject, jsonField } from '../../rpc/json-object.ts';
import type { ChainView } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';
import type { PictureNode } from './picture-type.ts';

const TIMEOUT = 3000;

/** Reads the connections between the rollup nodes of a chain, by the node that reports them. */
export async function linksOf({ nodes }: ChainView): Promise<ReadonlyMap<string, PictureNode['peers']>> {
  const names = new Map(nodes.map(({ name, cl }) => [cl.peerId, name]));
  return new Map(
    await Promise.all(
      nodes.map(async ({ name, cl }) => {
        const answer = await clientFor(cl.rpc)
          .call('opp2p_peers', [true], { timeoutMs: TIMEOUT })
          .catch(() => undefined);
        const peers = jsonField(answer, 'peers');
        const known = Object.entries(isJsonObject(peers) ? peers : {}).flatMap(([id, peer]) => {
          const node = names.get(id);
          const latency = jsonField(peer, 'latency');
          const latencyMs = typeof latency === 'number' && latency > 0 ? latency / 1e6 : null;
          return node === undefined ? [] : [{ node, latencyMs }];
        });
        return [name, known] as const;
      }),
    ),
  );
}
